/** Reads what Python is made from: the operations of the contract, with their parameters. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Schema } from './python-types.ts'
import { ROOT } from './root.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly required?: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Answer {
  readonly description: string
  readonly content?: Content
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Content } | { readonly $ref: string }
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>
  readonly 'x-error-classes': Readonly<Record<string, readonly string[]>>
}

export interface Contract {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | Operation['parameters']>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, never>>>> & {
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

/** An operation with its place and all its parameters. */
export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
}

const METHODS = ['get', 'post', 'put', 'delete']

/** The client has its own methods for these operations, because their value types are in headers. */
const VALUES = ['getValue', 'putValue', 'getValueByAbout', 'putValueByAbout']

export const readContract = (): Contract =>
  parse(readFileSync(join(ROOT, 'generated', 'openapi.yaml'), 'utf8')) as Contract

/** All operations but HEADs, documents, and those that the client has methods of its own for. */
export const placedOperations = (contract: Contract): Placed[] =>
  Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as Operation | undefined
      if (operation === undefined || VALUES.includes(operation.operationId)) return []
      if (operation.tags.includes('documents')) return []
      const parameters = [...((item['parameters'] ?? []) as Parameter[]), ...(operation.parameters ?? [])]
      return [{ method, path, operation, parameters: parameters.map((one) => resolve(one, contract)) }]
    }),
  )

/** Resolves a reference to a component; returns other parts unchanged. */
export function resolve<T extends object>(part: T | { readonly $ref: string }, { components }: Contract): T {
  if (!('$ref' in part)) return part
  const [kind = '', name = ''] = part.$ref.split('/').slice(2)
  // What stands beside a reference replaces what it refers to, such as the description.
  return { ...(components[kind]?.[name] as unknown as T), ...part }
}
