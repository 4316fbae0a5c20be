/** Generates Python methods for the operations of the contract, with the types of parameters and answers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { schemaName, PythonTypes, type Schema } from './python-types.ts'
import { ROOT } from './root.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Content } | { readonly $ref: string }
  readonly responses: Readonly<Record<string, { readonly content?: Content } | { readonly $ref: string }>>
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | Operation['parameters']>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, never>>>> & {
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

const METHODS = ['get', 'post', 'put', 'delete']

/** The client has its own methods for these operations, because their value types are in headers. */
const VALUES = ['getValue', 'putValue', 'getValueByAbout', 'putValueByAbout']

const HEAD = `"""The operations of the contract. Made from generated/openapi.yaml by scripts/pack/python-operations.ts."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from ._path import path_of
`

const CLASS = `
class Operations:
    """A method for each operation. What is optional and \`\`None\`\` is not sent."""

    def _call(
        self, method: str, path: str, query: Mapping[str, object], body: Mapping[str, object] | None
    ) -> Any:
        raise NotImplementedError
`

/** The text of the Python module. */
export function pythonOperations(): string {
  const contract = parse(readFileSync(join(ROOT, 'generated', 'openapi.yaml'), 'utf8')) as Contract
  const types = new PythonTypes(contract.components.schemas)
  const methods = Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as Operation | undefined
      if (operation === undefined || VALUES.includes(operation.operationId)) return []
      if (operation.tags.includes('documents')) return []
      const parameters = [...((item['parameters'] ?? []) as Parameter[]), ...(operation.parameters ?? [])]
      return methodOf(
        method,
        path,
        { operation, parameters: parameters.map((one) => resolve(one, contract)) },
        { contract, types },
      )
    }),
  )
  return [HEAD, types.declarations, CLASS, ...methods].join('\n')
}

/** Resolves a reference to a component; returns other parts unchanged. */
function resolve<T extends object>(part: T | { readonly $ref: string }, { components }: Contract): T {
  if (!('$ref' in part)) return part
  const [kind = '', name = ''] = part.$ref.split('/').slice(2)
  return components[kind]?.[name] as unknown as T
}

function methodOf(
  method: string,
  path: string,
  { operation, parameters }: { operation: Operation; parameters: readonly Parameter[] },
  { contract, types }: { contract: Contract; types: PythonTypes },
): string {
  const { operationId, summary } = operation
  const ofPath = parameters.filter((one) => one.in === 'path')
  const ofQuery = parameters.filter((one) => one.in === 'query')
  const fields = fieldsOf(operation, contract)
  const named = [
    ...ofQuery.map(({ name, required, schema }) => ({ name, required: required === true, schema })),
    ...(fields ?? []),
  ].sort((a, b) => Number(b.required) - Number(a.required))
  const keywords = named.map(({ name, required, schema }) => {
    const type = types.typeOf(schema, operationId, true)
    return required ? `${snake(name)}: ${type}` : `${snake(name)}: ${type} | None = None`
  })
  const taken = [
    'self',
    ...ofPath.map(({ name }) => `${name}: str`),
    ...(keywords.length > 0 ? ['*', ...keywords] : []),
  ]
  const answer = answerOf(operation, contract, types)
  const dict = (names: readonly { name: string }[]): string =>
    `{${names.map(({ name }) => `${JSON.stringify(name)}: ${snake(name)}`).join(', ')}}`
  const segments = path
    .slice(1)
    .split('/')
    .map((part) => (part.startsWith('{') ? part.slice(1, -1) : JSON.stringify(part)))
  const call = [
    `"${method.toUpperCase()}"`,
    `path_of(${segments.join(', ')})`,
    dict(ofQuery),
    fields ? dict(fields) : 'None',
  ]
  return `    def ${snake(operationId)}(${taken.join(', ')}) -> ${answer}:
        """${summary}."""
        ${answer === 'None' ? '' : `answer: ${answer} = `}self._call(${call.join(', ')})${answer === 'None' ? '' : '\n        return answer'}
`
}

/** The fields of a JSON body; undefined if there is none. */
function fieldsOf(
  { requestBody }: Operation,
  contract: Contract,
): { name: string; required: boolean; schema: Schema }[] | undefined {
  if (requestBody === undefined) return undefined
  const { content } = resolve(requestBody, contract)
  const { $ref = '' } = content['application/json']?.schema ?? {}
  const { properties = {}, required = [] } = contract.components.schemas[schemaName({ $ref })] ?? {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  }))
}

function answerOf({ responses }: Operation, contract: Contract, types: PythonTypes): string {
  const [, success = {}] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = resolve<{ readonly content?: Content }>(success, contract).content?.['application/json']
    ?.schema
  return schema === undefined ? 'None' : types.typeOf(schema, '', false)
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
