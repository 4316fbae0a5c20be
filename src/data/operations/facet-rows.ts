/** Decides how to read a tag's values on the objects that a query matches: by which index, in how many statements. */
import { IdSet } from '../database/ids/id-sets.ts'
import { raw, sql, type Sql } from '../database/connection/sql.ts'
import { isProbeable, type Clause } from '../search/clauses.ts'
import {
  joinOf,
  onKeys,
  rowsOf,
  stopPointOf,
  type ReadableTag,
  type RowCondition,
} from '../search/conditions.ts'
import { testOf } from '../search/execution.ts'
import { EVERY_KEY } from '../search/key-sets.ts'
import type { ReadTx } from '../store/views.ts'
import { NUMBER_KEYS } from './facet-bins.ts'

/** The matches of a query. */
export interface Matches<V> {
  readonly found: IdSet
  readonly clause: Clause<V>
}

/** The rows of a tag's values on objects that a query matches. */
export interface Rows {
  /** How the rows are read, for the log of slow queries. */
  readonly how: string
  /** FROM and WHERE of statements with rows aliased `v`; each row is in one of the statements. */
  readonly statements: () => Iterable<Sql>
  /** Whether there is only one statement. */
  readonly inOne: boolean
  /** The rows from an index that has the keys but not the types, if that is faster. */
  readonly keysAlone: Sql | undefined
}

/** Memory limits while values are counted. */
export interface Held {
  /** Groups of values that this process counts, not the database. */
  readonly groups: number
  /** Octets of lists whose items this process counts. */
  readonly octets: number
}

const VALUE = raw('v')

/** A tag is small beside a set if it has less than one value for this many objects. */
const SMALL = 2
/** Up to this many statements take less time than reading rows of objects that do not match. */
const FEW_STATEMENTS = 5

/** The rows of a tag's values on the objects that a query matches. */
export async function rowsOnMatches<V>(
  tx: ReadTx<V>,
  tag: ReadableTag<V>,
  { found, clause }: Matches<V>,
): Promise<Rows> {
  const { dialect } = tx
  const own = ownCondition(clause, tag)
  if (own !== undefined) return ownRows(tx, own)
  const set = tag.valueBound * SMALL < found.size ? await having(tx, tag, found) : found
  // In the order of ids, looking up one value after the other takes the least time.
  if (clause.kind === 'rows' && clause.sorted) return joinedRows(tx, tag, clause)
  if (set.size <= dialect.mostIds * FEW_STATEMENTS) return rowsOfIds(tx, tag, set)
  if (clause.kind === 'rows') return joinedRows(tx, tag, clause)
  if (isProbeable(clause) && tag.valueBound <= set.size * dialect.probeCost) {
    const test = testOf(dialect, clause, { object: raw('v.object_id') })
    return inOne(
      'probing the query',
      sql`FROM tag_values v ${dialect.useIndex('PRIMARY')} WHERE v.tag_id = ${tag.id} AND ${test}`,
    )
  }
  return rowsOfIds(tx, tag, set)
}

const inOne = (how: string, statement: Sql, keysAlone?: Sql): Rows => ({
  how,
  statements: () => [statement],
  inOne: true,
  keysAlone,
})

/** The clause itself if it is a condition on the values of this tag. */
const ownCondition = <V>(clause: Clause<V>, tag: ReadableTag<V>): RowCondition<V> | undefined =>
  clause.kind === 'rows' && clause.table === 'tag_values' && clause.tag.id === tag.id ? clause : undefined

/** Whether every value of this tag is on an object that matches. */
export const isEvery = <V>(clause: Clause<V>, tag: ReadableTag<V>): boolean =>
  ownCondition(clause, tag)?.everyValue === true

/** The rows that meet a condition on the same tag. */
function ownRows<V>({ dialect }: ReadTx<V>, { tag, where, everyValue, bound }: RowCondition<V>): Rows {
  const rows = (index: string): Sql => sql`FROM tag_values v ${dialect.useIndex(index)}
    WHERE v.tag_id = ${tag.id} ${stopPointOf(dialect, bound, 0)} AND ${where(VALUE)}`
  const byValue = rows('tag_values_by_value')
  return inOne('its own values', everyValue ? rows('PRIMARY') : byValue, byValue)
}

/** The objects of a set that have a tag with few values. */
async function having<V>(tx: ReadTx<V>, tag: ReadableTag<V>, found: IdSet): Promise<IdSet> {
  const { dialect } = tx
  const tagged = await tx.ids(sql`SELECT v.object_id FROM tag_values v ${dialect.useIndex('PRIMARY')}
    WHERE v.tag_id = ${tag.id} ${stopPointOf(dialect, tag.valueBound, 0)} ORDER BY v.object_id`)
  // Merging consumes a set, and other tags need this one.
  const copy = IdSet.inOrder(Buffer.from(found.bytes))
  return tx.merge('intersection', tagged.consume(), copy.consume())
}

/** The rows on the objects of a set, in as few statements as the database allows. */
function rowsOfIds<V>({ dialect }: ReadTx<V>, tag: ReadableTag<V>, set: IdSet): Rows {
  const values = sql`tag_values v ${dialect.useIndex('PRIMARY')}`
  if (set.size <= dialect.mostIds && dialect.mostIds === Infinity) {
    const stop = stopPointOf(dialect, set.size, 1)
    return inOne(
      'ids',
      sql`FROM ${dialect.idsAsTable(set.bytes)} m ${dialect.thenJoin} ${values}
        ON v.tag_id = ${tag.id} AND v.object_id = m.object_id WHERE 1 = 1 ${stop}`,
    )
  }
  const among = (ids: Buffer): Sql =>
    sql`FROM ${values} WHERE v.tag_id = ${tag.id} AND v.object_id IN (${dialect.inIds(ids)})`
  return {
    how: 'ids in portions',
    *statements() {
      for (const portion of set.portions(dialect.mostIds)) yield among(portion.bytes)
    },
    inOne: set.size <= dialect.mostIds,
    keysAlone: undefined,
  }
}

/** The rows on the objects of rows that meet a condition. */
function joinedRows<V>({ dialect }: ReadTx<V>, tag: ReadableTag<V>, condition: RowCondition<V>): Rows {
  const everyValue = onKeys({ tag, text: `has ${tag.path}`, bound: tag.valueBound }, EVERY_KEY)
  const values = joinOf(dialect, everyValue, 'v')
  const stop = stopPointOf(dialect, condition.bound, 1)
  return inOne(
    'joining the query',
    condition.repeats
      ? sql`FROM (SELECT DISTINCT d.object_id ${rowsOf(dialect, condition)}) d ${values} WHERE 1 = 1 ${stop}`
      : sql`${rowsOf(dialect, condition, condition.index, values)} ${stop}`,
  )
}

/** Counts numbers before the first key, between each two keys (with the lower one), and from the last key on. */
export async function countBetween<V>(tx: ReadTx<V>, rows: Rows, keys: readonly Buffer[]): Promise<number[]> {
  const counts = Array.from({ length: keys.length + 1 }, () => 0)
  for (const from of rows.keysAlone === undefined ? rows.statements() : [rows.keysAlone]) {
    const counted = await tx.all<{ place: number; n: number }>(sql`
      SELECT c.place, COUNT(*) AS n FROM (
        SELECT ${placeOf(keys, 0)} AS place ${from}
          AND v.sort_key >= ${NUMBER_KEYS.from} AND v.sort_key < ${NUMBER_KEYS.to}) c
      GROUP BY c.place`)
    for (const { place, n } of counted) counts[place] = (counts[place] ?? 0) + n
  }
  return counts
}

/** SQL for the number of keys that are not above the key of a row, plus `first`; binary search. */
function placeOf(keys: readonly Buffer[], first: number): Sql {
  const middle = keys.length >> 1
  const key = keys[middle]
  if (key === undefined) return raw(String(first))
  return sql`CASE WHEN v.sort_key < ${key} THEN ${placeOf(keys.slice(0, middle), first)}
    ELSE ${placeOf(keys.slice(middle + 1), first + middle + 1)} END`
}
