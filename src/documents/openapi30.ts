/** The contract in OpenAPI 3.0.3, for tools that do not read 3.1. */
import { isNode, referred, without, withoutUnused, type Node } from './published.ts'

/**
 * Translates an OpenAPI 3.1 document to 3.0.3. What 3.0 cannot express is left out if it is purely descriptive
 * (`summary` of `info`). Throws if it matters: for a JSON Schema keyword that 3.0 does not have.
 */
export function toOpenApi30(contract: object): object {
  const closed = withoutOpenEnums(contract as Node)
  const {
    info,
    components = {},
    ...rest
  } = anything(closed, closed) as {
    readonly info?: Node
    readonly components?: Readonly<Record<string, Node>>
  }
  // An answer of which each use has become a copy is used no more, nor is an enumeration that has become a string.
  return withoutUnused({
    ...rest,
    openapi: '3.0.3',
    info: without(info, ([key]) => key === 'summary'),
    components,
  })
}

/**
 * A document in which an enumeration that may grow, the union of an enumeration of strings and any string, is any string with
 * the enumeration as `x-extensible-enum`: most generators make a class with two members of such a union.
 */
const withoutOpenEnums = (contract: Node): Node =>
  JSON.parse(JSON.stringify(contract), (_, value: unknown) => {
    if (!isNode(value) || !Array.isArray(value['anyOf'])) return value
    const branches = value['anyOf'].map((branch) => resolved(branch, contract))
    if (!branches.every(({ type }) => type === 'string') || !branches.some(isAnyString)) return value
    const words = branches.flatMap(({ enum: known = [] }) => known)
    return { ...without(value, ([key]) => key === 'anyOf'), type: 'string', 'x-extensible-enum': words }
  }) as Node

const isAnyString = (schema: Node): boolean =>
  Object.keys(schema).every((key) => ['type', 'description'].includes(key))

const resolved = (part: unknown, contract: Node): Node =>
  isNode(part) && typeof part['$ref'] === 'string'
    ? (referred(part['$ref'], contract) as Node)
    : (part as Node)

/** Translates any part of a document except schemas. */
function anything(value: unknown, contract: Node): unknown {
  if (Array.isArray(value)) return value.map((item) => anything(item, contract))
  if (!isNode(value)) return value
  const { $ref, ...overrides } = value
  // 3.0 ignores everything next to a reference, so a reference with its own description becomes a copy.
  if (typeof $ref === 'string' && Object.keys(overrides).length > 0) {
    return { ...(anything(referred($ref, contract), contract) as Node), ...overrides }
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => {
      if (key === 'example' || key === 'examples') return [key, held]
      if (key === 'schema') return [key, schemaOf(held as Node)]
      return [key, key === 'schemas' ? schemasOf(held as Node) : anything(held, contract)]
    }),
  )
}

/** Keywords that mean the same in both versions and contain no schema. */
const KEPT = [
  ...['title', 'description', 'format', 'default', 'enum', 'deprecated', 'readOnly', 'writeOnly'],
  ...['multipleOf', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'discriminator', 'example'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'required'],
]

/** Keywords that only narrow `items` and `additionalProperties` beside them, for single places or names. */
const LEFT_OUT = ['prefixItems', 'propertyNames']

function schemaOf(schema: Node): Node {
  const { $ref, ...siblings } = schema
  if ($ref !== undefined) {
    return Object.keys(siblings).length === 0 ? { $ref } : { ...schemaOf(siblings), allOf: [{ $ref }] }
  }
  const said = Object.entries(schema).filter(([key]) => !LEFT_OUT.includes(key))
  return Object.assign({}, ...said.map(([key, value]) => keywordOf(key, value))) as Node
}

/** The translation of a keyword: no keyword, one or two. */
function keywordOf(key: string, value: unknown): Node {
  switch (key) {
    case 'type':
      return typeOf(value as string | string[])
    case 'const':
      return { enum: [value] }
    case 'examples':
      return { example: (value as unknown[])[0] }
    case 'exclusiveMinimum':
      return { minimum: value, exclusiveMinimum: true }
    case 'exclusiveMaximum':
      return { maximum: value, exclusiveMaximum: true }
    case 'properties':
      return { properties: schemasOf(value as Node) }
    case 'items':
    case 'not':
      return { [key]: schemaOf(value as Node) }
    case 'additionalProperties':
      return { [key]: isNode(value) ? schemaOf(value) : value }
    case 'anyOf':
      return unionOf(value as Node[])
    case 'oneOf':
      return { oneOf: branchesOf(value as Node[]) }
    case 'allOf':
      return { allOf: (value as Node[]).map(schemaOf) }
    default:
      if (KEPT.includes(key) || key.startsWith('x-')) return { [key]: value }
      throw new Error(`OpenAPI 3.0 has no '${key}' in schemas`)
  }
}

/** In 3.0, `type` is a single name; `nullable` says that a value may be null, and nothing can be only null. */
function typeOf(value: string | string[]): Node {
  const types = [value].flat()
  const [type, ...more] = types.filter((one) => one !== 'null')
  if (type === undefined) return { type: 'string', nullable: true, enum: [null] }
  if (more.length > 0) throw new Error(`OpenAPI 3.0 has no schema of the types ${types.join(', ')}`)
  return types.includes('null') ? { type, nullable: true } : { type }
}

/**
 * A union. Of branches that are types, at most one holds for a value once numbers that are integers are counted as integers
 * alone; and `oneOf` is what most generators make a union of, where `anyOf` gives them an empty class.
 */
function unionOf(branches: readonly Node[]): Node {
  const types = branches.map(({ type }) => type)
  const apart = types.every((type) => typeof type === 'string') && new Set(types).size === types.length
  if (!apart) return { anyOf: branchesOf(branches) }
  const exclusive = branches.map((branch) =>
    branch['type'] === 'number' && types.includes('integer')
      ? { ...branch, not: { type: 'integer' } }
      : branch,
  )
  return { oneOf: branchesOf(exclusive) }
}

/** The branches of a union: a branch that is just null makes the first other branch with a type nullable. */
function branchesOf(branches: readonly Node[]): Node[] {
  const others = branches.filter(({ type }) => type !== 'null')
  const typed = others.find(({ type }) => type !== undefined)
  if (others.length === branches.length || typed === undefined) return branches.map(schemaOf)
  return others.map((branch) =>
    branch === typed ? { ...schemaOf(branch), nullable: true } : schemaOf(branch),
  )
}

const schemasOf = (schemas: Node): Node =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schemaOf(schema as Node)]))
