/** The contract as a document, and what it says about an operation. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { ErrorClass } from '../errors.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../tag-value.ts'

/** The contract, in YAML. */
export function readContractText(): string {
  return readFileSync(new URL('../../generated/openapi.yaml', import.meta.url), 'utf8')
}

let asJson: string | undefined

/** The contract, parsed. Each call gives a copy that may be changed. */
export function readContract(): object {
  // Parsing YAML takes some forty times as long as parsing JSON.
  asJson ??= JSON.stringify(parse(readContractText()))
  return JSON.parse(asJson) as object
}

/** A parameter of an operation, dereferenced. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly schema: { readonly type?: string | string[] }
  /** The path parameter takes all the rest of a path. */
  readonly 'x-path-tail'?: boolean
  /** A path whose parameter does not match this is no resource. */
  readonly 'x-resource-pattern'?: string
  /** The letter case of the argument does not matter. */
  readonly 'x-fold-case'?: boolean
  /** The class of the error for a value that the schema refuses, where it is not the usual one. */
  readonly 'x-invalid-class'?: ErrorClass
}

/** An operation as openapi-backend keeps it: dereferenced, with the parameters of its path among its own. */
export interface ContractOperation {
  readonly operationId: string
  readonly path: string
  readonly method: string
  readonly parameters?: readonly Parameter[]
  readonly security?: readonly object[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** What the body of an operation is: JSON, a tag value, or nothing. */
export function bodyFormat({ requestBody }: ContractOperation): 'json' | 'value' | 'none' {
  if (requestBody === undefined) return 'none'
  return PRIMITIVE_MEDIA_TYPE in requestBody.content ? 'value' : 'json'
}

/** Whether an operation answers with JSON, so that `Accept` must admit that. */
export const answersJson = ({ responses }: ContractOperation): boolean =>
  Object.entries(responses).some(
    ([status, { content }]) => status.startsWith('2') && 'application/json' in (content ?? {}),
  )

/** Whether an operation is closed to the anonymous user, whatever the permissions say. */
export const needsCredentials = ({ security = [] }: ContractOperation): boolean =>
  security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0)
