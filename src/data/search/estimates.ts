/** How many objects a condition matches: an estimate, the exact number up to a limit, or whether it exceeds a limit. */
import { rowsOf, type RowCondition } from './conditions.ts'
import type { Dialect } from '../database/connection/dialects.ts'
import { raw, sql, type Sql } from '../database/connection/sql.ts'
import type { ReadTx } from '../store/views.ts'

/** The estimates on which the choice of a plan is based. */
export interface Estimates<V> {
  readonly dialect: Dialect
  /**
   * The estimated number of objects that match a condition; never more than its bound. If only counting can tell, it counts
   * up to `limit`, and returns the bound beyond that.
   */
  about(condition: RowCondition<V>, limit: number): Promise<number>
  /** Whether more than `limit` objects match a condition. */
  exceeds(condition: RowCondition<V>, limit: number): Promise<boolean>
}

/** Estimates from one view of the store. */
export const estimatesOn = <V>(tx: ReadTx<V>): Estimates<V> => ({
  dialect: tx.dialect,
  about: (condition, limit) =>
    tx.dialect.explainsRows ? explained(tx, condition) : counted(tx, condition, limit),
  exceeds: (condition, limit) => exceeds(tx, condition, limit),
})

/**
 * The database's own estimate of how many objects match a condition, from EXPLAIN. Throws if the answer is not in the
 * requested format: MySQL has several formats, and a setting for its default. TiDB calls the number `estRows`.
 */
export async function explained<V>(tx: ReadTx<V>, condition: RowCondition<V>): Promise<number> {
  // MySQL looks into a forced index only if the statement groups or orders; otherwise it takes an average of all tags.
  const row = await tx.one<{ rows?: number | string | null; estRows?: string }>(
    sql`EXPLAIN FORMAT=TRADITIONAL SELECT 1 ${rowsOf(tx.dialect, condition)} GROUP BY d.object_id`,
  )
  const rows = row?.rows === undefined ? row?.estRows : row.rows
  if (rows === undefined) throw new Error('the database does not explain how many rows a statement reads')
  return Math.min(Math.ceil(Number(rows ?? condition.bound)), condition.bound)
}

async function counted<V>(tx: ReadTx<V>, condition: RowCondition<V>, limit: number): Promise<number> {
  const matched = await count(tx, condition, limit)
  return matched > limit ? condition.bound : matched
}

/** The SELECT list that returns each object once. */
const onceEach = <V>({ repeats }: RowCondition<V>): Sql =>
  raw(repeats ? 'DISTINCT d.object_id' : '1 AS found')

/**
 * If the bound of a condition is no more than this many times the limit, all rows are counted: stopping at the limit makes
 * each row cost half as much again.
 */
const NO_STOP = 1.25

/** How many objects match a condition, or `limit + 1` if more than `limit` do. */
export async function count<V>(tx: ReadTx<V>, condition: RowCondition<V>, limit: number): Promise<number> {
  const rows = rowsOf(tx.dialect, condition)
  const all = !condition.repeats && condition.bound <= limit * NO_STOP
  const row = await tx.one<{ n: number }>(
    all
      ? sql`SELECT COUNT(*) AS n ${rows}`
      : sql`SELECT COUNT(*) AS n FROM (SELECT ${onceEach(condition)} ${rows} LIMIT ${raw(String(limit + 1))}) c`,
  )
  return Math.min(row?.n ?? 0, limit + 1)
}

/** Whether more than `limit` objects match a condition; this is cheaper than counting them. */
export async function exceeds<V>(tx: ReadTx<V>, condition: RowCondition<V>, limit: number): Promise<boolean> {
  const row = await tx.one(
    sql`SELECT ${onceEach(condition)} ${rowsOf(tx.dialect, condition)} LIMIT 1 OFFSET ${raw(String(limit))}`,
  )
  return row !== undefined
}
