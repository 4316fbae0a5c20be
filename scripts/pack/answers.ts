/** The answers of the contract, for `@gloss/client/msw`. */
import type { AnsweredOperation, Answer, Answers } from '../../packages/client/msw.ts'
import { exampleError, exampleOf, type Exemplary } from '../../mock/examples.ts'
import { readContract, type ContractOperation } from '../../src/http/contract/contract.ts'
import { readOperations } from '../../src/http/contract/validation.ts'
import { errorHeaders } from '../../src/http/send-error.ts'
import { parsePrimitive, PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'

interface Response {
  readonly headers?: Readonly<Record<string, Exemplary>>
  readonly content?: Readonly<Record<string, Exemplary>>
}

/** Reads the answers from the contract. */
export async function answersOfContract(): Promise<Answers> {
  const { servers } = readContract() as { servers: [{ url: string }] }
  const operations = (await readOperations()).toSorted((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1))
  // Most errors are common to all operations.
  const indexes = new Map<string, number>()
  const indexOf = (answer: Answer): number => {
    const text = JSON.stringify(answer)
    const index = indexes.get(text) ?? indexes.size
    indexes.set(text, index)
    return index
  }
  const all = operations.map((operation) => ({
    ...described(operation),
    answers: answersOf(operation)
      .toSorted((a, b) => a.code - b.code)
      .map(indexOf),
  }))
  return {
    base: servers[0].url,
    answers: [...indexes.keys()].map((text) => JSON.parse(text) as Answer),
    operations: all,
  }
}

/** Orders paths such that literal segments come before parameters. */
const rank = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '~')

function described({
  operationId: id,
  method,
  path,
  parameters = [],
}: ContractOperation): Omit<AnsweredOperation, 'answers'> {
  const pattern = path.replaceAll(/\{(\w+)\}|[.]/g, (part, name?: string) => {
    if (name === undefined) return `\\${part}`
    return parameters.some((one) => one.name === name && one['x-path-tail']) ? '.+' : '[^/]+'
  })
  return { id, method: method as AnsweredOperation['method'], path: pattern }
}

function answersOf(operation: ContractOperation): Answer[] {
  const { method, responses, 'x-error-classes': classes = {} } = operation
  return Object.entries(responses as Readonly<Record<string, Response>>).flatMap(([status, response]) => {
    const code = Number(status)
    const headers = headersOf(response)
    if (code < 400) return method === 'head' ? [{ code, headers }] : successesOf(code, headers, response)
    const { 'X-Service-Request-Id': requestId = '' } = headers
    return (classes[status] ?? []).map((name) => errorOf(operation, status, name, requestId))
  })
}

/** Headers about octets that the examples do not have. */
const OF_OCTETS = ['Content-Encoding', 'Content-Length']

const headersOf = ({ headers = {} }: Response): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, header]) => [name, exampleOf(header)] as const)
      .filter(([name, value]) => value !== undefined && !OF_OCTETS.includes(name))
      .map(([name, value]) => [name, String(value)]),
  )

function successesOf(code: number, headers: Record<string, string>, { content = {} }: Response): Answer[] {
  const found = Object.entries(content).flatMap(([type, media]) =>
    Object.entries(media.examples ?? { '': { value: media.example } }).map(([example, { value }]) => {
      const { body, more } = bodyOf(type, value)
      const named = example === '' ? {} : { example }
      const others = Object.entries(headers).filter(([name]) => name !== 'X-Service-Type')
      return { code, ...named, headers: { ...Object.fromEntries(others), ...more }, body }
    }),
  )
  return found.length > 0 ? found : [{ code, headers }]
}

function bodyOf(type: string, value: unknown): { body: string; more: Record<string, string> } {
  const json = type.includes('json')
  const body = json || typeof value !== 'string' ? JSON.stringify(value) : value
  const more: Record<string, string> = { 'Content-Type': type === '*/*' ? 'application/octet-stream' : type }
  if (type === PRIMITIVE_MEDIA_TYPE) more['X-Service-Type'] = parsePrimitive(body).type
  return { body, more }
}

function errorOf(operation: ContractOperation, code: string, name: string, requestId: string): Answer {
  const error = exampleError(operation, code, name)
  const headers = errorHeaders(error, { requestId, realm: 'Gloss' })
  return { code: error.status, example: name, headers: Object.fromEntries(headers) }
}

if (import.meta.main) console.log(JSON.stringify(await answersOfContract()))
