/** The example requests and example answers of an operation in the contract. */
import type { ContractOperation } from '../../src/http/contract/contract.ts'

/** Something with examples: a parameter or the content of a body. */
interface Exemplary {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface ExemplaryParameter extends Exemplary {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
}

/** A request made of the contract's examples, without header parameters. */
export interface ExampleRequest {
  readonly path: string
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: { readonly mediaType: string; readonly example: unknown } | undefined
}

/** The examples of a parameter or body; at least one. */
function examplesOf({ example, examples }: Exemplary): unknown[] {
  const all = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value)
  if (all.length === 0 || all[0] === undefined) throw new Error('there is no example')
  return all
}

const contentExamples = (content: Readonly<Record<string, unknown>>) =>
  Object.entries(content).flatMap(([mediaType, media]) =>
    examplesOf(media as Exemplary).map((example) => ({ mediaType, example })),
  )

/**
 * Requests that together use every example: as many as the parameter or body with most examples has. An operation with
 * optional arguments gets one more, without them.
 */
export function exampleRequests(operation: ContractOperation): ExampleRequest[] {
  const parameters = (operation.parameters ?? []) as readonly unknown[] as readonly ExemplaryParameter[]
  // A cursor has no example: no request can have one before there was another.
  const sent = parameters.filter(({ in: place, name }) => place !== 'header' && name !== 'cursor')
  const bodies = operation.requestBody === undefined ? [] : contentExamples(operation.requestBody.content)
  const count = Math.max(1, bodies.length, ...sent.map((parameter) => examplesOf(parameter).length))
  const request = (i: number, given: readonly ExemplaryParameter[]): ExampleRequest => {
    const at = (parameter: ExemplaryParameter): unknown => cyclic(examplesOf(parameter), i)
    const query = given.filter((parameter) => parameter.in === 'query')
    return {
      path: given
        .filter((parameter) => parameter.in === 'path')
        .reduce(
          (path, one) => path.replace(`{${one.name}}`, encodeURIComponent(String(at(one)))),
          operation.path,
        ),
      query: Object.fromEntries(query.map((one) => [one.name, decodedText(at(one))])),
      body: cyclic(bodies, i),
    }
  }
  const required = sent.filter((parameter) => parameter.required === true)
  const plain = required.length < sent.length ? [request(0, required)] : []
  return [...Array.from({ length: count }, (_, i) => request(i, sent)), ...plain]
}

const cyclic = <T>(items: readonly T[], i: number): T | undefined => items[i % items.length]

const decodedText = (value: unknown): string | string[] =>
  Array.isArray(value) ? value.map(String) : String(value)

/** The successful answers of an operation that the contract shows. */
export function exampleAnswers({ responses }: ContractOperation): {
  readonly status: number
  readonly bodies: ReturnType<typeof contentExamples>
} {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  return { status: Number(status), bodies: contentExamples(response?.content ?? {}) }
}

/** The names of the header parameters of an operation. */
export const headerNames = ({ parameters = [] }: ContractOperation): string[] =>
  parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
