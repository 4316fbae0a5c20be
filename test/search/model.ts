/** A model of the values on the service, and the simplest possible evaluation of queries on it. */
import type { Operand, Query, QueryNode, TagCondition } from '../../src/query/ast.ts'
import { patternOf, wordsOf, type PatternWord } from '../../src/model/words.ts'

/** A value as it is sent: `text` is its JSON, or the content of an opaque value. */
export type Value = { readonly text: string } & (
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'list-of-strings'; readonly value: readonly string[] }
  | { readonly type: 'opaque' }
)

export const stringOf = (value: string): Value => ({ type: 'string', value, text: JSON.stringify(value) })

export const listOf = (value: readonly string[]): Value => ({
  type: 'list-of-strings',
  value,
  text: JSON.stringify(value),
})

/** A JSON number: an int if it has neither fraction nor exponent, else a float. */
export const numberOf = (text: string): Value =>
  /[.e]/i.test(text)
    ? { type: 'float', value: Number(text), text }
    : { type: 'int', value: BigInt(text), text }

/** The values of a tag by object. */
export type Values = Map<string, Value>

/** The values of tags by path, then by object. */
export type Model = ReadonlyMap<string, Values>

/** The objects that a query matches, ascending. */
export const answer = (model: Model, query: Query): string[] => [...matchedBy(model, query.root)].sort()

function matchedBy(model: Model, node: QueryNode): Set<string> {
  switch (node.kind) {
    case 'id':
      return new Set([node.id])
    case 'or':
      return new Set([...matchedBy(model, node.left), ...matchedBy(model, node.right)])
    case 'and': {
      const right = matchedBy(model, node.right)
      return new Set([...matchedBy(model, node.left)].filter((object) => right.has(object)))
    }
    case 'except': {
      const right = matchedBy(model, node.right)
      return new Set([...matchedBy(model, node.left)].filter((object) => !right.has(object)))
    }
    default: {
      const values = model.get(node.path)
      if (values === undefined) throw new Error(`there is no tag ${node.path}`)
      return new Set([...values].filter(([, value]) => meets(value, node)).map(([object]) => object))
    }
  }
}

function meets(value: Value, condition: TagCondition): boolean {
  switch (condition.kind) {
    case 'has':
      return true
    case 'contains':
      return value.type === 'list-of-strings' && value.value.includes(condition.text)
    case 'matches':
      return textsOf(value)?.some((text) => holds(text, condition.text)) ?? false
    case 'compare':
      return compares(value, condition.op, condition.operand)
  }
}

/** The texts in which `matches` looks; an extra empty one lets a phrase without words match a value without texts. */
function textsOf(value: Value): readonly string[] | undefined {
  if (value.type === 'string') return [value.value]
  return value.type === 'list-of-strings' ? ['', ...value.value] : undefined
}

function holds(text: string, phrase: string): boolean {
  const words = wordsOf(text)
  const pattern = patternOf(phrase)
  return Array.from({ length: words.length + 1 }, (_, start) => start).some((start) =>
    pattern.every((wanted, i) => fits(words[start + i], wanted)),
  )
}

const fits = (word: string | undefined, { word: wanted, prefix }: PatternWord): boolean =>
  word !== undefined && (prefix ? word.startsWith(wanted) : word === wanted)

function compares(value: Value, op: string, operand: Operand): boolean {
  const order = orderOf(value, operand)
  if (op === '=') return order === 0
  if (op === '!=') return order !== 0
  if (order === undefined) return false
  return op.startsWith('<')
    ? order < 0 || (op === '<=' && order === 0)
    : order > 0 || (op === '>=' && order === 0)
}

/** Negative, 0 or positive as the value is less than, equal to or greater than the operand; else undefined. */
function orderOf(value: Value, operand: Operand): number | undefined {
  if (value.type === 'string' && operand.type === 'string') return byCodePoint(value.value, operand.value)
  if (isNumber(value) && isNumber(operand)) {
    // JavaScript compares a bigint with a number exactly.
    return value.value < operand.value ? -1 : value.value > operand.value ? 1 : 0
  }
  if (value.type === 'boolean' && operand.type === 'boolean')
    return value.value === operand.value ? 0 : undefined
  return value.type === 'null' && operand.type === 'null' ? 0 : undefined
}

const isNumber = <T extends { type: string }>(value: T): value is Extract<T, { type: 'int' | 'float' }> =>
  value.type === 'int' || value.type === 'float'

/** The order of the types of values, of which int and float are one. */
const RANKS = ['null', 'boolean', 'number', 'string', 'list-of-strings', 'opaque']

const rankOf = (value: Value): number => RANKS.indexOf(isNumber(value) ? 'number' : value.type)

/** The order of two values for sorting: by type, then as comparisons have it. */
export function sortOrder(a: Value, b: Value): number {
  if (rankOf(a) !== rankOf(b)) return rankOf(a) - rankOf(b)
  if (a.type === 'boolean' && b.type === 'boolean') return Number(a.value) - Number(b.value)
  if (a.type === 'string' && b.type === 'string') return byCodePoint(a.value, b.value)
  return isNumber(a) && isNumber(b) ? (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) : 0
}

/** Compares two texts by code points, unlike JavaScript's `<`, which compares UTF-16 units. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0)
    if (order !== 0) return order
  }
  return left.length - right.length
}
