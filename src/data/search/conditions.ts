/** Conditions on one tag as SQL: for the rows that meet them, and for testing one object. */
import { badRequest } from '../../model/errors.ts'
import type { Comparator, Operand, TagCondition } from '../../query/ast.ts'
import type { Primitive } from '../../model/tag-value.ts'
import { patternOf, type PatternWord } from '../../model/words.ts'
import type { Permitted } from '../permissions/rights.ts'
import type { Dialect } from '../database/connection/dialects.ts'
import { list, raw, sql, type Sql } from '../database/connection/sql.ts'
import {
  EVERY_KEY,
  keysBeside,
  keysBetween,
  onlyKey,
  otherKeys,
  testOf,
  testSql,
  type KeySet,
  type KeyTest,
} from './key-sets.ts'
import { PROBE, UNSTOPPED_ROWS } from '../store/costs.ts'
import { KEY, KEY_STRING_BYTES, sortKey } from '../values/encoding.ts'
import { itemTerm, wordTerm } from '../values/terms.ts'

/** A tag whose values the caller may read, and so may query. */
export type ReadableTag<V> = Permitted<'tag-values.read', V>

/** The fields of all conditions. */
interface OnTag<V> {
  readonly tag: ReadableTag<V>
  /** The condition's source in the query. */
  readonly text: string
  /** An upper bound on the number of matches. */
  readonly bound: number
}

/** The rows of a condition: values with one of these sort keys, or one of these terms. */
type Asked = { readonly keys: KeySet } | { readonly terms: readonly Buffer[] }

/** A condition that a single row decides, of `tag_values` or of `terms`. */
export interface RowCondition<V> extends OnTag<V> {
  readonly kind: 'rows'
  readonly asked: Asked
  readonly table: 'tag_values' | 'terms'
  /** The index that finds the rows. */
  readonly index: string
  /** Whether that index returns them in the order of ids. */
  readonly sorted: boolean
  /** Whether it probably excludes most rows of the tag. */
  readonly selective: boolean
  /** Whether every value of the tag meets it. */
  readonly everyValue: boolean
  /** Whether its index has rows in between that do not meet it. */
  readonly gaps: boolean
  /** Whether several rows of one object may meet it. */
  readonly repeats: boolean
  /** SQL that is true for rows of the tag that meet the condition; the table is aliased `alias`. */
  readonly where: (alias: Sql) => Sql
}

/** A comparison with a string longer than sort keys hold. */
export interface LongComparison<V> extends OnTag<V> {
  readonly kind: 'long'
  readonly op: '<' | '<=' | '>' | '>='
  readonly operand: string
}

/** Words that must follow each other, or a beginning of a single word. */
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
      return onKeys(base, EVERY_KEY)
    case 'compare':
      return compared(base, node.op, node.operand)
    case 'contains':
      return onTerms(base, [itemTerm(node.text)])
    case 'matches':
      return matching(base, patternOf(node.text))
  }
}

/** The index that has a tag's values in their order. */
const BY_VALUE = { index: 'tag_values_by_value', selective: true }

/** How the rows of each kind of test are found. */
const ACCESS: Readonly<Record<KeyTest['kind'], Partial<RowCondition<unknown>>>> = {
  all: { everyValue: true },
  none: BY_VALUE,
  keys: BY_VALUE,
  others: {},
  ranges: { ...BY_VALUE, sorted: false },
}

/** The condition that an object's value of the tag has one of these keys. */
export function onKeys<V>(base: OnTag<V>, keys: KeySet): RowCondition<V> {
  const test = testOf(keys)
  const access = ACCESS[test.kind] as Partial<RowCondition<V>>
  return {
    ...base,
    kind: 'rows',
    asked: { keys },
    table: 'tag_values',
    index: 'PRIMARY',
    // The objects of each single key are in order, but not those of several keys together.
    sorted: test.kind !== 'keys' || test.keys.length === 1,
    selective: false,
    everyValue: false,
    gaps: test.kind === 'ranges' && test.ranges.length > 1,
    repeats: false,
    where: (alias) => testSql(test, sql`${alias}.sort_key`),
    ...access,
  }
}

/** The condition that an object's value of the tag has one of these terms. */
export const onTerms = <V>(base: OnTag<V>, terms: readonly Buffer[]): RowCondition<V> => ({
  ...base,
  kind: 'rows',
  asked: { terms },
  table: 'terms',
  index: 'PRIMARY',
  sorted: terms.length === 1,
  selective: true,
  everyValue: false,
  gaps: false,
  repeats: terms.length > 1,
  where: (alias) =>
    terms.length === 1 ? sql`${alias}.term = ${terms[0] ?? null}` : sql`${alias}.term IN (${list(terms)})`,
})

const operandKey = (operand: Operand): Buffer => sortKey({ ...operand, json: '' } as Primitive)

function compared<V>(base: OnTag<V>, op: Comparator, operand: Operand): Condition<V> {
  const key = operandKey(operand)
  if (op === '!=') return onKeys(base, otherKeys(onlyKey(key)))
  if (op === '=') return onKeys(base, onlyKey(key))
  if (operand.type === 'string' && Buffer.byteLength(operand.value) > KEY_STRING_BYTES) {
    return { ...base, kind: 'long', op, operand: operand.value }
  }
  return onKeys(base, keysBeside(op, key, operand.type === 'string' ? KEY.string : KEY.number))
}

function matching<V>(base: OnTag<V>, words: readonly PatternWord[]): Condition<V> {
  const { tag } = base
  if (!tag.indexed) {
    throw badRequest(
      `matches needs an indexed tag, and ${tag.path} is not indexed: compare its values, or create another tag with indexed`,
    )
  }
  const [first, second] = words
  if (first === undefined) {
    // Strings and lists are most often many rows, so they are read in the order of ids.
    const strings = onKeys(base, keysBetween(Buffer.of(KEY.string), Buffer.of(KEY.list + 1)))
    return { ...strings, index: 'PRIMARY', sorted: true, selective: false }
  }
  if (second === undefined && !first.prefix) return onTerms(base, [wordTerm(first.word)])
  return { ...base, kind: 'phrase', words }
}

const ROW = raw('d')

/** The stop point of a statement that reads `rows` rows, with `probes` probes for each; see `Dialect`. */
export const stopPointOf = (dialect: Dialect, rows: number, probes: number): Sql =>
  rows * (1 + probes * PROBE) > UNSTOPPED_ROWS ? dialect.stopPoint : raw('')

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
  const { table, tag, bound } = condition
  const stop = stopPointOf(dialect, readsOthers(condition, index) ? bound : 0, 0)
  return sql`FROM ${raw(table)} d ${dialect.useIndex(index)} ${joins}
    WHERE d.tag_id = ${tag.id} ${stop} AND ${condition.where(ROW)}`
}

/**
 * Whether the statement also reads rows that do not meet the condition. Other rows are part of an answer, whose limit ends
 * the statement.
 */
export const readsOthers = <V>(
  { table, everyValue, gaps, index: own }: RowCondition<V>,
  index = own,
): boolean => table === 'tag_values' && !everyValue && (index === 'PRIMARY' || gaps)

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
