/** The contract as a document, and what it says about an operation. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as yaml from 'yaml'
import { once } from '../../scheduling/once.ts'
import type { ErrorClass } from '../../model/errors.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../model/tag-value.ts'

const CURRENT = 'generated/openapi'

/** A contract in YAML or JSON, by its path in the project without the ending. */
const locate = (path: string, ending: 'yaml' | 'json'): URL =>
  new URL(`../../../${path}.${ending}`, import.meta.url)

/** A contract in JSON, if there is such a file. The build makes one: parsing YAML takes about forty times as long as parsing JSON. */
const builtJson = (path: string): string | undefined =>
  existsSync(locate(path, 'json')) ? readFileSync(locate(path, 'json'), 'utf8') : undefined

function jsonFromYaml(path: string): string {
  const { parse } = createRequire(import.meta.url)('yaml') as typeof yaml
  return JSON.stringify(parse(readFileSync(locate(path, 'yaml'), 'utf8')))
}

const currentFromYaml = once(() => jsonFromYaml(CURRENT))

/** The parsed contract, with each part as `revive` returns it. Each call returns a copy that may be modified. */
export function readContract(revive?: (key: string, value: unknown) => unknown): object {
  return JSON.parse(builtJson(CURRENT) ?? currentFromYaml(), revive) as object
}

/** The contract of an earlier version, as it was published. */
export function readKeptContract(version: string): object {
  const path = `openapi/versions/${version}`
  return JSON.parse(builtJson(path) ?? jsonFromYaml(path)) as object
}

/** A parameter of an operation, dereferenced. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly schema: { readonly type?: string | string[] }
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
  /** Whether the path parameter takes the whole rest of a path. */
  readonly 'x-path-tail'?: boolean
  /** A path whose parameter does not match this pattern is not a resource. */
  readonly 'x-resource-pattern'?: string
  /** The remedy in the error about such a path. */
  readonly 'x-resource-hint'?: string
  /** Whether the letter case of the argument is ignored. */
  readonly 'x-fold-case'?: boolean
  /** The class of the error for a value that the schema rejects, if it is not the usual one. */
  readonly 'x-invalid-class'?: ErrorClass
}

/** An operation as openapi-backend represents it: dereferenced, with its path's parameters among its own. */
export interface ContractOperation {
  readonly operationId: string
  readonly path: string
  readonly method: string
  readonly parameters?: readonly Parameter[]
  readonly security?: readonly object[]
  /** By status, the classes of its errors. */
  readonly 'x-error-classes'?: Readonly<Record<string, readonly string[]>>
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** The format of a body: JSON, a tag value, or none. */
export type BodyFormat = 'json' | 'value' | 'none'

/** The format that the body of an operation must have. */
export function bodyFormat({ requestBody }: ContractOperation): BodyFormat {
  if (requestBody === undefined) return 'none'
  return PRIMITIVE_MEDIA_TYPE in requestBody.content ? 'value' : 'json'
}

/** Whether an operation answers with JSON, so that `Accept` must allow JSON. */
export const answersJson = ({ responses }: ContractOperation): boolean =>
  Object.entries(responses).some(
    ([status, { content }]) => status.startsWith('2') && 'application/json' in (content ?? {}),
  )

/** Whether it is a permission that refuses the anonymous user, which the error names. */
export const deniesByPermission = ({ 'x-error-classes': classes = {} }: ContractOperation): boolean =>
  classes['401']?.includes('TPathPermissionDenied') === true
