/** How many objects a condition matches: an estimate, the exact number up to a limit, or whether it exceeds a limit. */
import { rowsOf, type RowCondition } from './conditions.ts'
import type { Dialect } from '../database/connection/dialects.ts'
import { raw, sql, type Sql } from '../database/connection/sql.ts'
import type { ReadTx } from '../store/views.ts'

/** What the choice of a plan is based on. */
export interface Estimates<V> {
  readonly dialect: Dialect
  /**
   * About how many objects match a condition, and never more than its bound. If only counting can tell, it counts up to
   * `limit`; beyond that, the bound is the answer.
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
 * About how many objects match a condition, as the database guesses, where it explains that. Throws if the explanation is not
 * in the format that is asked for: MySQL has several, and a setting for the one that it uses by itself. TiDB names the number
 * `estRows`.
 */
export async function explained<V>(tx: ReadTx<V>, condition: RowCondition<V>): Promise<number> {
  // MySQL looks into a forced index only if the statement groups or orders; else it guesses from an average of all tags.
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

/** What to select to get each object once. */
const onceEach = <V>({ repeats }: RowCondition<V>): Sql =>
  raw(repeats ? 'DISTINCT d.object_id' : '1 AS found')

/**
 * Where a condition can match no more than so many times the limit, all are counted: to stop behind the limit takes databases
 * half as long again for each row.
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

/** Whether more than `limit` objects match a condition, which is cheaper than counting them. */
export async function exceeds<V>(tx: ReadTx<V>, condition: RowCondition<V>, limit: number): Promise<boolean> {
  const row = await tx.one(
    sql`SELECT ${onceEach(condition)} ${rowsOf(tx.dialect, condition)} LIMIT 1 OFFSET ${raw(String(limit))}`,
  )
  return row !== undefined
}
