/** `gloss explain`: explains a class of errors, by its name or by an answer of the service. */
import { text } from 'node:stream/consumers'
import { ServiceError } from '../../packages/client/index.ts'
import { nearest } from '../../src/model/misspelt.ts'
import { ERRORS } from '../../src/model/errors.ts'
import { explain, explainClass } from '../terminal/explanations.ts'
import { classOf, isClass, type Explanation } from '../../common/sentences.ts'
import { visible } from '../../common/values.ts'
import { misuse } from '../../common/failure.ts'
import { printJson } from '../terminal/output.ts'

interface Options {
  readonly json?: true
}

export async function run([name]: readonly string[], { json }: Options): Promise<undefined> {
  const answer = name === undefined && !process.stdin.isTTY ? await text(process.stdin) : ''
  if (name !== undefined) print(about(name), json)
  else if (answer === '') list(json)
  else {
    const error = errorOf(answer)
    print({ class: classOf(error), status: error.status, ...explain(error) }, json)
  }
  return undefined
}

/** A class, its status, and an explanation. */
interface Explained extends Explanation {
  readonly class: string | undefined
  readonly status: number
  /** The facts in the sentences are those of an example. */
  readonly example?: true
}

/** Explains the class of a name. Throws a `Failure` for an unknown one. */
function about(name: string): Explained {
  if (isClass(name)) {
    const { status, facts } = ERRORS[name]
    return { class: name, status, ...explainClass(name), ...(facts.length > 0 && { example: true }) }
  }
  const meant = nearest(name, Object.keys(ERRORS))
  const remedy = meant === undefined ? 'gloss explain lists all classes' : `did you mean ${meant}?`
  throw misuse(`there is no class of errors '${name}'`, remedy)
}

function print({ class: name, status, what, remedy, example }: Explained, json: true | undefined): void {
  if (json) {
    printJson({ class: name, status, what, remedy })
    return
  }
  const lead = example ? 'For example: ' : ''
  process.stdout.write(`${name ?? 'no class'} (${status})\n${lead}${visible(what)}\n  → ${visible(remedy)}\n`)
}

function list(json: true | undefined): void {
  const all = Object.keys(ERRORS).map(about)
  if (json) {
    printJson(all.map(({ class: name, status, what, remedy }) => ({ class: name, status, what, remedy })))
    return
  }
  for (const { class: name = '', status, what } of all)
    process.stdout.write(`${name.padEnd(WIDTH)}  ${status}  ${what}\n`)
}

/** The length of the longest name. */
const WIDTH = Math.max(...Object.keys(ERRORS).map(({ length }) => length))

/**
 * Parses an error from an answer with its headers, as curl -i prints it. Throws a `Failure` if the answer is not an
 * error.
 */
function errorOf(answer: string): ServiceError {
  // Answers of proxies and answers to earlier requests of the same command come first.
  const last = answer
    .split(/\r?\n\r?\n/)
    .filter((block) => block.startsWith('HTTP/'))
    .at(-1)
  const lines = last?.split(/\r?\n/) ?? []
  const status = Number(/^HTTP\/\S+ (\d{3})/.exec(lines[0] ?? '')?.[1])
  if (Number.isNaN(status)) {
    throw misuse('this is no answer of HTTP', 'have curl print its headers: curl -si …')
  }
  if (status < 400) {
    throw misuse(`the answer has the status ${status}, which is no error`, 'there is nothing to explain')
  }
  return new ServiceError(new Response(null, { status, headers: headersOf(lines) }))
}

/** Parses the header lines, and ignores other lines. */
function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers()
  for (const line of lines) {
    const [, field, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(line) ?? []
    if (field !== undefined) headers.append(field, value)
  }
  return headers
}
