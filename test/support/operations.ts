/**
 * The operations of the contract, and a router from methods and raw paths to them that shares no code with the service's.
 */
import type { ContractOperation } from '../../src/http/contract/contract.ts'
import { readOperations } from '../../src/http/contract/validation.ts'

/** The parts of a schema that tests read. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** An operation, with members that only tests read. */
export interface TestedOperation extends ContractOperation {
  /** The error classes that it may answer with, by status. */
  readonly 'x-error-classes': Readonly<Record<string, readonly string[]>>
}

/** All operations, with references resolved. */
export const OPERATIONS = (await readOperations()) as TestedOperation[]

/** The path templates. */
export const TEMPLATES = [...new Set(OPERATIONS.map(({ path }) => path))]

const SEGMENTS = TEMPLATES.map((template) => [template, template.split('/')] as const)
const BY_NAME = new Map(OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation]))

/** The schema of an operation's JSON body. */
export const jsonSchemaOf = ({ requestBody }: ContractOperation): Schema | undefined =>
  (requestBody?.content['application/json'] as { schema?: Schema } | undefined)?.schema

/** Whether an operation's body is a tag value. */
export const takesValue = ({ requestBody }: ContractOperation): boolean =>
  requestBody !== undefined && '*/*' in requestBody.content

/** The name of the parameter, if a segment of a template is one. */
export const parameterOf = (segment: string): string | undefined => /^\{(.+)\}$/.exec(segment)?.[1]

const isTail = (segment: string): boolean => /^\{(namespace|tag)_path\}$/.test(segment)

/** A template for a raw path, and the raw text of each parameter. */
export interface Meaning {
  readonly template: string
  readonly raw: ReadonlyMap<string, string>
}

/** The template that a raw path matches, with the most literal segments; undefined if none matches. */
export function meaningOf(rawPath: string): Meaning | undefined {
  const segments = rawPath.replace(/\/$/, '').split('/')
  const found = SEGMENTS.flatMap(([template, wanted]) => fit(template, wanted, segments) ?? [])
  return found.sort((a, b) => a.raw.size - b.raw.size)[0]
}

function fit(template: string, wanted: readonly string[], segments: readonly string[]): Meaning | undefined {
  const tail = isTail(wanted.at(-1) ?? '')
  if (tail ? segments.length < wanted.length : segments.length !== wanted.length) return undefined
  const raw = new Map<string, string>()
  for (const [i, segment] of wanted.entries()) {
    const name = parameterOf(segment)
    const last = tail && i === wanted.length - 1
    if (name !== undefined) raw.set(name, last ? segments.slice(i).join('/') : (segments[i] ?? ''))
    else if (segment !== segments[i]) return undefined
  }
  return { template, raw }
}

/** The operation for a method and a raw path. */
export function operationAt(method: string, rawPath: string): TestedOperation | undefined {
  const template = meaningOf(rawPath)?.template
  return BY_NAME.get(`${method.toLowerCase()} ${template ?? ''}`)
}
