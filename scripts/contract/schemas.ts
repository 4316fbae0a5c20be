/** Compares schemas. A schema that both contracts have under one name is compared once, where it is defined. */
import { breaksIf, code, under, type Changes, type Where } from './change.ts'
import {
  canonical,
  isNode,
  isText,
  listOf,
  nodeOf,
  refOf,
  resolve,
  without,
  type Contract,
  type Node,
} from './document.ts'
import { fieldNames, keywordChanges } from './keywords.ts'

/** Keywords that contain schemas or belong to fields; they have functions of their own. */
const STRUCTURE = [
  '$ref',
  'const',
  'properties',
  'required',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'propertyNames',
]

/** Yields what changed between two schemas. `within` has the pairs of names around them, which a schema may lead back to. */
export function* schemaChanges(
  before: unknown,
  after: unknown,
  where: Where,
  within: readonly string[] = [],
): Changes {
  const [was, is] = [refOf(before), refOf(after)]
  if (was !== undefined && was === is) return yield* besides(before, after, where)
  const pair = `${was ?? ''} ${is ?? ''}`
  if (within.includes(pair)) return
  const around = pair === ' ' ? within : [...within, pair]
  const old = normal(resolve(before, where.before))
  const now = normal(resolve(after, where.after))
  if ('anyOf' in old || 'anyOf' in now) return yield* unionChanges(old, now, where, around)
  yield* besides(old, now, where)
  yield* fieldNames(old, now, where)
  yield* parts(old, now, where, around)
}

/** A schema with `const` as an enumeration of one, and `oneOf` as `anyOf`. */
function normal(schema: Node): Node {
  const { const: only, oneOf } = schema
  return {
    ...without(schema, ['const', 'oneOf']),
    ...(only !== undefined && { enum: [only] }),
    ...(oneOf !== undefined && { anyOf: oneOf }),
  }
}

/** Yields the changes of keywords that contain no schema. */
function* besides(before: unknown, after: unknown, where: Where): Changes {
  const [old, now] = [nodeOf(before), nodeOf(after)]
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (isText(key) || STRUCTURE.includes(key) || canonical(old[key]) === canonical(now[key])) continue
    // Both admit further fields, and `parts` compares their schemas.
    if (isNode(old[key]) && isNode(now[key]) && key === 'additionalProperties') continue
    yield* keywordChanges(key, { before: old[key], after: now[key], schema: now }, where)
  }
}

/** Yields the changes of the schemas of fields, items and names. */
function* parts(old: Node, now: Node, where: Where, within: readonly string[]): Changes {
  const both = (key: string): [Node, Node] => [nodeOf(old[key]), nodeOf(now[key])]
  const [was, is] = both('properties')
  for (const name of Object.keys(was).filter((one) => one in is)) {
    yield* under(`field ${code([name])}`, schemaChanges(was[name], is[name], where, within))
  }
  for (const [key, name] of Object.entries({ items: 'items', propertyNames: 'names of fields' }))
    if (key in old || key in now) yield* under(name, schemaChanges(...both(key), where, within))
  const others = both('additionalProperties')
  if (isNode(old['additionalProperties']) && isNode(now['additionalProperties']))
    yield* under('other fields', schemaChanges(...others, where, within))
  yield* positions(listOf(old['prefixItems']), listOf(now['prefixItems']), where, within)
  yield* branches(listOf(old['allOf']), listOf(now['allOf']), { where, within, both: true })
}

function* positions(was: unknown[], is: unknown[], where: Where, within: readonly string[]): Changes {
  if (was.length !== is.length)
    yield breaksIf(
      where.request || where.answer,
      `a list of ${is.length} schemas by position, was ${was.length}`,
    )
  for (const [index, schema] of was.slice(0, is.length).entries()) {
    yield* under(`item ${index + 1}`, schemaChanges(schema, is[index], where, within))
  }
}

/** Yields the changes of a choice of schemas; one schema is a choice of its types. */
function* unionChanges(old: Node, now: Node, where: Where, within: readonly string[]): Changes {
  if ('anyOf' in old && 'anyOf' in now) yield* besides(old, now, where)
  const [was, is] = [choicesOf(old), choicesOf(now)]
  const open = isOpen(was, where.before) && isOpen(is, where.after)
  const place = open ? { ...where, request: false, answer: false, open } : where
  yield* branches(was, is, { where: place, within, both: false })
}

/** Whether a choice is of known texts and of any other. */
export const isOpen = (schemas: readonly unknown[], contract: Contract): boolean =>
  schemas.length > 1 &&
  schemas.filter((schema) => canonical(schema) === '{"type":"string"}').length === 1 &&
  schemas.filter((schema) => resolve(schema, contract)['enum'] !== undefined).length === schemas.length - 1

function choicesOf(schema: Node): unknown[] {
  const { anyOf, type } = schema
  if (anyOf !== undefined) return listOf(anyOf)
  return listOf(type).length > 1 ? listOf(type).map((one) => ({ ...schema, type: one })) : [schema]
}

interface Branches {
  readonly where: Where
  readonly within: readonly string[]
  /** All branches hold, not one. */
  readonly both: boolean
}

/** Yields the changes of branches, which may come in any order. */
function* branches(was: unknown[], is: unknown[], { where, within, both }: Branches): Changes {
  const left = [...is]
  const take = (fits: (one: unknown) => boolean): unknown => {
    const index = left.findIndex(fits)
    return index < 0 ? undefined : left.splice(index, 1)[0]
  }
  const exact = was.map((old) => take((one) => canonical(one) === canonical(old)))
  const { request, answer } = where
  for (const [index, old] of was.entries()) {
    const now = exact[index] ?? take((one) => likeness(one, where.after) === likeness(old, where.before))
    if (now === undefined)
      yield breaksIf(both ? answer || request : request, `not ${nameOf(old, where.before)} any more`)
    else yield* under(nameOf(old, where.before), schemaChanges(old, now, where, within))
  }
  for (const one of left)
    yield breaksIf(both ? answer || request : answer, `may be ${nameOf(one, where.after)}`, 'new')
}

/** What two branches have in common that are versions of each other. */
const likeness = (schema: unknown, contract: Contract): string => {
  const { type, const: only, enum: values } = resolve(schema, contract)
  return JSON.stringify([type, only, values !== undefined])
}

const nameOf = (schema: unknown, contract: Contract): string => {
  const { type, const: only, enum: values } = resolve(schema, contract)
  return code([refOf(schema)?.split('/').at(-1) ?? only ?? values ?? type ?? 'any'])
}
