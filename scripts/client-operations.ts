/**
 * Prints `generated/operations.ts`, from which the client for TypeScript makes a method for each operation
 * (`npm run generate`).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from './pack/root.ts'
import { argumentsOf } from './usage.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly 'x-error-classes'?: Readonly<Record<string, readonly string[]>>
}

interface Contract {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const METHODS = ['get', 'post', 'put', 'delete']

/** The client has functions for these operations, because the types of values are in headers. */
const VALUES = ['getValue', 'putValue', 'getValueByAbout', 'putValueByAbout']

function operationsModule(): string {
  const contract = parse(readFileSync(join(ROOT, 'generated', 'openapi.yaml'), 'utf8')) as Contract
  const all = Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ method, path, operation }]
    }),
  )
  const shown = all.filter(
    ({ operation: { operationId, tags } }) => !VALUES.includes(operationId) && !tags.includes('documents'),
  )
  const [first = [], ...others] = all.map(({ operation }) => classesOf(operation))
  const common = first.filter((name) => others.every((classes) => classes.includes(name)))
  return `/** The operations of the contract. Made from generated/openapi.yaml by scripts/client-operations.ts. */
import type { operations } from './openapi.d.ts'

/** The version of the contract that this client was made from. */
export const contractVersion = '${contract.info.version}'

/** The method and the path of each operation. */
export const OPERATIONS = {
${shown.map(({ method, path, operation }) => `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}'],`).join('\n')}
} as const

/** The types of each operation. */
export interface Operations {
${shown.map(({ operation }) => `${commentOf(operation, common)}  ${operation.operationId}: operations['${operation.operationId}']`).join('\n')}
}
`
}

const classesOf = (operation: Operation): string[] => Object.values(operation['x-error-classes'] ?? {}).flat()

/** The description and the error classes that not every operation has, as a comment that editors show. */
function commentOf(operation: Operation, common: readonly string[]): string {
  const { summary, description = '' } = operation
  const errors = classesOf(operation).filter((name) => !common.includes(name))
  const paragraphs = [`${summary}.`, ...description.trim().split(/\n\n+/), `Errors: ${errors.join(', ')}.`]
  const text = paragraphs.filter((one) => one !== '').join('\n\n')
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd()).join('\n')}\n   */\n`
}

argumentsOf({
  name: 'npm run generate',
  does: 'Bundles the contract, and makes its types, the operations of the client and the parser of queries.',
})
process.stdout.write(operationsModule())
