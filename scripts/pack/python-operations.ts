/** Generates Python for the operations of the contract: their types, and a method for each, with its documentation. */
import {
  placedOperations,
  readContract,
  resolve,
  type Contract,
  type Operation,
  type Placed,
} from './python-contract.ts'
import { docstring, type Described } from './python-docs.ts'
import { schemaName, PythonTypes, type Schema } from './python-types.ts'

/** An argument of a method; `key` is its name in the contract. */
interface Argument extends Described {
  readonly key: string
  readonly in: 'path' | 'query' | 'header' | 'body'
  readonly required: boolean
  readonly schema: Schema
}

/** Headers that are arguments, on writes only: a method does not return the entity tag that a read would need. */
const CONDITIONS = ['If-Match', 'If-None-Match']

const MADE = 'Made from generated/openapi.yaml by scripts/pack/python-operations.ts.'

const operationsHead = (types: readonly string[]): string => `"""The operations of the contract. ${MADE}"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ._path import path_of
from ._types import (
${types.map((type) => `    ${type},\n`).join('')})


class AsyncOperations:
    """A method for each operation. What is optional and \`\`None\`\` is not sent."""

    async def _call(
        self,
        method: str,
        path: str,
        query: Mapping[str, object],
        headers: Mapping[str, str | None],
        body: Mapping[str, object] | None,
    ) -> Any:
        raise NotImplementedError
`

const typesHead = (version: string): string => `"""The types of the contract. ${MADE}"""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

#: The version of the contract that this package was made from.
CONTRACT_VERSION = ${JSON.stringify(version)}
`

/** The texts of two Python modules: the types, and the operations, asynchronous. */
export function pythonOperations(): { readonly types: string; readonly operations: string } {
  const contract = readContract()
  const types = new PythonTypes(contract.components.schemas)
  const placed = placedOperations(contract)
  const methods = placed.map((one) => methodOf(one, contract, types))
  return {
    types: [typesHead(contract.info.version), types.declarations].join('\n'),
    operations: [operationsHead(types.names), ...methods].join('\n'),
  }
}

function methodOf(placed: Placed, contract: Contract, types: PythonTypes): string {
  const { operation } = placed
  const args = argumentsOf(placed, contract)
  const returned = answerOf(operation, contract, types)
  const docs = docstring({
    summary: operation.summary,
    description: operation.description,
    args,
    returns: returned && { description: returned.description, fields: returned.fields },
    errors: operation['x-error-classes'],
  })
  const call = `await self._call(\n            ${callOf(placed, args).join(',\n            ')},\n        )`
  const body = returned ? `answer: ${returned.type} = ${call}\n        return answer` : call
  return `    async def ${snake(operation.operationId)}(
        ${signatureOf(args, types, operation.operationId).join(',\n        ')},
    ) -> ${returned?.type ?? 'None'}:
${docs}
        ${body}
`
}

function argumentsOf({ method, operation, parameters }: Placed, contract: Contract): Argument[] {
  const sent = parameters
    .filter((one) => one.in !== 'header' || (method !== 'get' && CONDITIONS.includes(one.name)))
    .map(({ name, required = false, ...rest }) => ({
      ...rest,
      key: name,
      name: snake(name),
      required,
      description: withDefault(rest.description, rest.schema),
    }))
  return [...sent, ...fieldsOf(operation, contract)].sort((a, b) => rank(a) - rank(b))
}

const withDefault = (description: string, schema: Schema): string =>
  schema.default === undefined || schema.default === '' || description.includes('the default')
    ? description
    : `${description} The default is \`${String(schema.default)}\`.`

const rank = (one: Argument): number =>
  one.in === 'path' ? 0 : one.required ? 1 : one.in === 'header' ? 3 : 2

function signatureOf(args: readonly Argument[], types: PythonTypes, name: string): string[] {
  const typed = args.map((one) => ({ ...one, type: types.typeOf(one.schema, name, true) }))
  const named = typed.filter((one) => one.in !== 'path')
  return [
    'self',
    ...typed.filter((one) => one.in === 'path').map((one) => `${one.name}: str`),
    ...(named.length > 0 ? ['*'] : []),
    ...named.map((one) => `${one.name}: ${one.type}${one.required ? '' : ' | None = None'}`),
  ]
}

/** The arguments of the call that sends a request. */
function callOf({ method, path, operation }: Placed, args: readonly Argument[]): string[] {
  const dict = (place: Argument['in']): string =>
    `{${args
      .filter((one) => one.in === place)
      .map(({ key, name }) => `${JSON.stringify(key)}: ${name}`)
      .join(', ')}}`
  const segments = path
    .slice(1)
    .split('/')
    .map((part) => (part.startsWith('{') ? part.slice(1, -1) : JSON.stringify(part)))
  return [
    `"${method.toUpperCase()}"`,
    `path_of(${segments.join(', ')})`,
    dict('query'),
    dict('header'),
    operation.requestBody ? dict('body') : 'None',
  ]
}

/** The fields of a JSON body. */
function fieldsOf({ requestBody }: Operation, contract: Contract): Argument[] {
  if (requestBody === undefined) return []
  const { content } = resolve(requestBody, contract)
  const { $ref = '' } = content['application/json']?.schema ?? {}
  const { properties = {}, required = [] } = contract.components.schemas[schemaName({ $ref })] ?? {}
  return Object.entries(properties).map(([key, schema]) => ({
    key,
    name: snake(key),
    in: 'body',
    required: required.includes(key),
    schema,
    description: withDefault(schema.description ?? '', schema),
  }))
}

/** What a method returns, with the fields of an object; undefined for an answer without content. */
function answerOf(
  { responses }: Operation,
  contract: Contract,
  types: PythonTypes,
): { type: string; description: string; fields: Described[] } | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const { description, content } = resolve(success ?? { description: '' }, contract)
  const schema = content?.['application/json']?.schema
  if (schema === undefined) return undefined
  const { properties = {} } = contract.components.schemas[schemaName(schema)] ?? schema
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    description: types.describe(field),
  }))
  return { type: types.typeOf(schema, '', false), description, fields }
}

const snake = (name: string): string =>
  name
    .replaceAll('-', '')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
