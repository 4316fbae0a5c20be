/** Holds every answer that a test gets against the contract: status, headers, media type and body. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { ContractRouter, readOperations, type ContractOperation } from '../../src/http/contract.ts'
import type { Answer } from './service.ts'

interface DeclaredResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}

const router = new ContractRouter(await readOperations())
const ajv = new Ajv2020({ strict: false, allErrors: true })
ajvFormats.default(ajv)
const validators = new Map<object, ValidateFunction>()

/** Headers that HTTP, CORS and proxies bring to every answer, which no operation declares. */
const TRANSPORT = [
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
]

/** What is wrong with an answer by the contract; nothing for requests that are no operation of it. */
export function violations(method: string, rawPath: string, answer: Answer): string[] {
  const operation = operationOf(method, rawPath)
  if (operation === undefined) return []
  const declared = operation.responses[String(answer.status)] as DeclaredResponse | undefined
  const where = `${operation.operationId} ${String(answer.status)}`
  if (declared === undefined) return [`${where}: the status is not declared`]
  return [...headerViolations(declared, answer), ...bodyViolations(declared, answer, method)].map(
    (fault) => `${where}: ${fault}`,
  )
}

function operationOf(method: string, rawPath: string): ContractOperation | undefined {
  try {
    return router.match(method, rawPath).operation
  } catch {
    return undefined
  }
}

function headerViolations({ headers = {} }: DeclaredResponse, answer: Answer): string[] {
  const declared = new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]))
  const missing = [...declared].filter(
    ([name, header]) => header.required === true && !(name in answer.headers),
  )
  const surplus = Object.keys(answer.headers).filter(
    (name) => !declared.has(name) && !TRANSPORT.includes(name),
  )
  return [
    ...missing.map(([name]) => `the header ${name} is missing`),
    ...surplus.map((name) => `the header ${name} is not declared`),
  ]
}

function bodyViolations({ content = {} }: DeclaredResponse, answer: Answer, method: string): string[] {
  if (method === 'HEAD') return answer.body.length === 0 ? [] : ['a HEAD was answered with a body']
  const types = Object.keys(content)
  if (types.length === 0) return answer.body.length === 0 ? [] : ['a body where none is declared']
  const schema = content['application/json']?.schema
  if (schema === undefined) return []
  if (answer.headers['content-type'] !== 'application/json') return ['the body is not declared as JSON']
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate(answer.json()) ? [] : [ajv.errorsText(validate.errors)]
}
