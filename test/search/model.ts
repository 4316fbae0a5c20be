/** What the service should hold, kept in memory, and the plainest possible answers to queries about it. */
import type { Operand, Query, TagCondition } from '../../src/query/ast.ts'
import { patternOf, wordsOf, type PatternWord } from '../../src/words.ts'

/** A value as it is sent: `text` is its JSON, or what is in an opaque value. */
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

/** A JSON number: an int without fraction and exponent, else a float. */
export const numberOf = (text: string): Value =>
  /[.e]/i.test(text)
    ? { type: 'float', value: Number(text), text }
    : { type: 'int', value: BigInt(text), text }

/** The values of a tag by object. */
export type Values = Map<string, Value>

/** The values of tags by path, then by object. */
export type Model = ReadonlyMap<string, Values>

/** The objects that a query matches, ascending. */
export const answer = (model: Model, query: Query): string[] => [...matchedBy(model, query)].sort()

function matchedBy(model: Model, query: Query): Set<string> {
  switch (query.kind) {
    case 'id':
      return new Set([query.id])
    case 'or':
      return new Set([...matchedBy(model, query.left), ...matchedBy(model, query.right)])
    case 'and': {
      const right = matchedBy(model, query.right)
      return new Set([...matchedBy(model, query.left)].filter((object) => right.has(object)))
    }
    case 'except': {
      const right = matchedBy(model, query.right)
      return new Set([...matchedBy(model, query.left)].filter((object) => !right.has(object)))
    }
    default: {
      const values = model.get(query.path)
      if (values === undefined) throw new Error(`there is no tag ${query.path}`)
      return new Set([...values].filter(([, value]) => meets(value, query)).map(([object]) => object))
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

/** Where `matches` looks; a text more shows that a value without any text is found by a phrase without words. */
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

/** Less than, equal to or greater than 0 as the value stands to the operand; undefined where they do not compare. */
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

/** The order of two texts by their code points, which is not that of JavaScript's `<`. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0)
    if (order !== 0) return order
  }
  return left.length - right.length
}
