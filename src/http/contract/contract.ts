/** The contract as a document, and what it says about an operation. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as yaml from 'yaml'
import type { ErrorClass } from '../../model/errors.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../model/tag-value.ts'

/** The contract, in YAML. */
export function readContractText(): string {
  return readFileSync(new URL('../../../generated/openapi.yaml', import.meta.url), 'utf8')
}

/** The contract in JSON. The build makes a file of it: parsing YAML takes about forty times as long as parsing JSON. */
function readContractAsJson(): string {
  const built = new URL('../../../generated/openapi.json', import.meta.url)
  return existsSync(built) ? readFileSync(built, 'utf8') : fromYaml(readContractText())
}

/** The text that was parsed last. The mock reads the contract again when somebody has edited it. */
let parsed = { text: '', json: '' }

function fromYaml(text: string): string {
  if (text !== parsed.text) {
    const { parse } = createRequire(import.meta.url)('yaml') as typeof yaml
    parsed = { text, json: JSON.stringify(parse(text)) }
  }
  return parsed.json
}

/** The parsed contract, with each part as `revive` returns it. Each call returns a copy that may be modified. */
export function readContract(revive?: (key: string, value: unknown) => unknown): object {
  return JSON.parse(readContractAsJson(), revive) as object
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
