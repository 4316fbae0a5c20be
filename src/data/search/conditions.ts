/** Conditions on one tag as SQL: which rows meet them, and whether one object does. */
import { badRequest } from '../../errors.ts'
import type { Comparator, Operand, TagCondition } from '../../query/ast.ts'
import type { Primitive } from '../../tag-value.ts'
import { patternOf, type PatternWord } from '../../words.ts'
import type { Permitted } from '../permissions/rights.ts'
import type { Dialect } from '../database/dialects.ts'
import { raw, sql, type Sql } from '../database/sql.ts'
import { itemTerm, KEY, KEY_STRING_BYTES, sortKey, wordTerm } from '../values/encoding.ts'

/** A tag whose values the caller may read, and so may query. */
export type ReadableTag<V> = Permitted<'tag-values.read', V>

/** What all conditions have in common. */
interface OnTag<V> {
  readonly tag: ReadableTag<V>
  /** The condition's source in the query. */
  readonly text: string
  /** At least the number of objects that match. */
  readonly bound: number
}

/** A condition that a single row decides, of `tag_values` or of `terms`. */
export interface RowCondition<V> extends OnTag<V> {
  readonly kind: 'rows'
  readonly table: 'tag_values' | 'terms'
  /** The index that finds the rows. */
  readonly index: string
  /** Whether that index returns them in the order of ids. */
  readonly sorted: boolean
  /** Whether it probably excludes most rows of the tag. */
  readonly selective: boolean
  /** Whether every value of the tag meets it. */
  readonly everyValue: boolean
  /** What must hold for a row of the tag; its table is aliased `alias`. */
  readonly where: (alias: Sql) => Sql
}

/** A comparison with a string longer than sort keys hold. */
export interface LongComparison<V> extends OnTag<V> {
  readonly kind: 'long'
  readonly op: '<' | '<=' | '>' | '>='
  readonly operand: string
}

/** Words that must follow each other, or the beginning of a single word. */
export interface PhraseCondition<V> extends OnTag<V> {
  readonly kind: 'phrase'
  readonly words: readonly PatternWord[]
}

/** A condition, classified by how its matching objects are found. */
export type Condition<V> = RowCondition<V> | LongComparison<V> | PhraseCondition<V>

/**
 * Turns a node into a condition, with `text` as its source. Throws `TBadRequest` for `matches` on a tag that is not
 * indexed.
 */
export function conditionOf<V>(node: TagCondition, tag: ReadableTag<V>, text: string): Condition<V> {
  const base = { tag, text, bound: tag.valueBound }
  switch (node.kind) {
    case 'has':
      return onValues(base, { everyValue: true, where: () => raw('1 = 1') })
    case 'compare':
      return compared(base, node.op, node.operand)
    case 'contains':
      return withTerm(base, itemTerm(node.text))
    case 'matches':
      return matching(base, patternOf(node.text))
  }
}

const onValues = <V>(
  base: OnTag<V>,
  how: Pick<RowCondition<V>, 'where'> & Partial<RowCondition<V>>,
): RowCondition<V> => ({
  ...base,
  kind: 'rows',
  table: 'tag_values',
  index: 'PRIMARY',
  sorted: true,
  selective: false,
  everyValue: false,
  ...how,
})

const withTerm = <V>(base: OnTag<V>, term: Buffer): RowCondition<V> =>
  onValues(base, { table: 'terms', selective: true, where: (alias) => sql`${alias}.term = ${term}` })

const keyOf = (operand: Operand): Buffer => sortKey({ ...operand, json: '' } as Primitive)

function compared<V>(base: OnTag<V>, op: Comparator, operand: Operand): Condition<V> {
  const key = keyOf(operand)
  const byValue = { index: 'tag_values_by_value', selective: true }
  if (op === '!=') return onValues(base, { where: (alias) => sql`${alias}.sort_key <> ${key}` })
  if (op === '=') return onValues(base, { ...byValue, where: (alias) => sql`${alias}.sort_key = ${key}` })
  if (operand.type === 'string' && Buffer.byteLength(operand.value) > KEY_STRING_BYTES) {
    return { ...base, kind: 'long', op, operand: operand.value }
  }
  const type = operand.type === 'string' ? KEY.string : KEY.number
  return onValues(base, { ...byValue, sorted: false, where: (alias) => bounded(alias, op, key, type) })
}

/** True for keys of one type that lie on one side of a key. */
export function bounded(alias: Sql, op: '<' | '<=' | '>' | '>=', key: Buffer, type: number): Sql {
  const other = op.startsWith('<')
    ? sql`${alias}.sort_key >= ${Buffer.of(type)}`
    : sql`${alias}.sort_key < ${Buffer.of(type + 1)}`
  return sql`${alias}.sort_key ${raw(op)} ${key} AND ${other}`
}

function matching<V>(base: OnTag<V>, words: readonly PatternWord[]): Condition<V> {
  const { tag } = base
  if (!tag.indexed) {
    throw badRequest(`matches needs an indexed tag, and ${tag.path} is not indexed`)
  }
  const [first, second] = words
  if (first === undefined) {
    const [from, to] = [Buffer.of(KEY.string), Buffer.of(KEY.list + 1)]
    return onValues(base, {
      where: (alias) => sql`${alias}.sort_key >= ${from} AND ${alias}.sort_key < ${to}`,
    })
  }
  if (second === undefined && !first.prefix) return withTerm(base, wordTerm(first.word))
  return { ...base, kind: 'phrase', words }
}

const ROW = raw('d')

/**
 * The rows that meet a condition, aliased `d`: FROM and WHERE, using `index` instead of the condition's own. `joins`
 * are those of `joinOf`.
 */
export function rowsOf<V>(
  dialect: Dialect,
  condition: RowCondition<V>,
  index = condition.index,
  joins: Sql = raw(''),
): Sql {
  const { table, tag } = condition
  return sql`FROM ${raw(table)} d ${dialect.useIndex(index)} ${joins}
    WHERE d.tag_id = ${tag.id} AND ${condition.where(ROW)}`
}

/** A JOIN that keeps only those rows aliased `d` whose object meets a condition, by probing one key per row. */
export function joinOf<V>(dialect: Dialect, { table, tag, where }: RowCondition<V>, alias: string): Sql {
  const name = raw(alias)
  return sql`${dialect.thenJoin} ${raw(table)} ${name} ${dialect.useIndex('PRIMARY')}
    ON ${name}.tag_id = ${tag.id} AND ${name}.object_id = d.object_id AND ${where(name)}`
}

/** SQL that is true if the object in the column `object` meets a condition, by probing one key. */
export function probeOf<V>(dialect: Dialect, { table, tag, where }: RowCondition<V>, object: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM ${raw(table)} p ${dialect.useIndex('PRIMARY')}
    WHERE p.tag_id = ${tag.id} AND p.object_id = ${object} AND ${where(raw('p'))})`
}
