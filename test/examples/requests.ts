/** The example requests and the example answers of an operation, as the contract has them. */
import type { ContractOperation } from '../../src/http/contract.ts'

/** What may hold examples: a parameter, or the content of a body. */
interface Exemplary {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface ExemplaryParameter extends Exemplary {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
}

/** A request as the contract shows it, without header parameters. */
export interface ExampleRequest {
  readonly path: string
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: { readonly mediaType: string; readonly example: unknown } | undefined
}

/** The examples of one thing; at least one. */
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
 * As many requests as there are examples of the parameter, or of the body, that has most: every example is in one of
 * them. Operations with arguments that may be left out get one more, without those.
 */
export function exampleRequests(operation: ContractOperation): ExampleRequest[] {
  const parameters = (operation.parameters ?? []) as readonly unknown[] as readonly ExemplaryParameter[]
  const sent = parameters.filter((parameter) => parameter.in !== 'header')
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
      query: Object.fromEntries(query.map((one) => [one.name, textOf(at(one))])),
      body: cyclic(bodies, i),
    }
  }
  const required = sent.filter((parameter) => parameter.required === true)
  const plain = required.length < sent.length ? [request(0, required)] : []
  return [...Array.from({ length: count }, (_, i) => request(i, sent)), ...plain]
}

const cyclic = <T>(items: readonly T[], i: number): T | undefined => items[i % items.length]

const textOf = (value: unknown): string | string[] =>
  Array.isArray(value) ? value.map(String) : String(value)

/** What an operation answers when all is well, as the contract shows it. */
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
