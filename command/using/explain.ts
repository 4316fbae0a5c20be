/** `gloss explain`: explains a class of errors, by its name or by an answer of the service. */
import { text } from 'node:stream/consumers'
import { ServiceError } from '../../packages/client/index.ts'
import { nearest } from '../../src/model/misspelt.ts'
import { ERRORS } from '../../src/model/errors.ts'
import { explain, explainClass } from '../terminal/explanations.ts'
import { classOf, isClass, type Explanation } from '../../common/sentences.ts'
import { misuse } from '../../common/failure.ts'

export async function run([name]: readonly string[]): Promise<undefined> {
  if (name === undefined) {
    if (process.stdin.isTTY)
      throw misuse('nothing to explain', 'name a class, or: curl -si … | gloss explain')
    const error = errorOf(await text(process.stdin))
    print(classOf(error) ?? 'no class', error.status, explain(error))
    return undefined
  }
  if (!isClass(name)) {
    const meant = nearest(name, Object.keys(ERRORS))
    throw misuse(
      `there is no class of errors '${name}'`,
      meant === undefined ? `there are ${Object.keys(ERRORS).join(', ')}` : `did you mean ${meant}?`,
    )
  }
  print(name, ERRORS[name].status, explainClass(name))
  return undefined
}

function print(name: string, status: number, { what, remedy }: Explanation): void {
  process.stdout.write(`${name} (${status})\n${what}\n  → ${remedy}\n`)
}

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
