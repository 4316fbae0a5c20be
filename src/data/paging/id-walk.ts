/** Walks along the ids of the objects that a query may match, and keeps those that match. */
import type { Dialect } from '../database/connection/dialects.ts'
import { join, raw, sql, type Sql } from '../database/connection/sql.ts'
import type { Probeable } from '../search/clauses.ts'
import { probeOf, stopPointOf, type RowCondition } from '../search/conditions.ts'
import { testOf } from '../search/execution.ts'
import type { ReadTx } from '../store/views.ts'
import { NO_BYTES, type Position } from './positions.ts'

/** A condition whose rows are read in the order of ids: those that meet it (`exact`), or else all rows of its tag. */
export interface Driver<V> {
  readonly condition: RowCondition<V>
  readonly exact: boolean
}

/**
 * Conditions such that every object that a clause matches has a row of one of them; undefined if the clause names ids.
 * `rowsIn` estimates how many rows drivers read.
 */
export function driversOf<V>(
  clause: Probeable<V>,
  rowsIn: (drivers: readonly Driver<V>[]) => number,
): readonly Driver<V>[] | undefined {
  if (clause.kind === 'id') return undefined
  if (clause.kind === 'rows') return [{ condition: clause, exact: clause.sorted && clause.selective }]
  const left = driversOf(clause.left, rowsIn)
  if (clause.kind === 'except') return left
  const right = driversOf(clause.right, rowsIn)
  if (clause.kind === 'or') return left && right && [...left, ...right]
  const known = [left, right].filter((drivers) => drivers !== undefined)
  return known.sort((a, b) => rowsIn(a) - rowsIn(b))[0]
}

export interface IdWalk<V> {
  readonly clause: Probeable<V>
  readonly drivers: readonly Driver<V>[]
  readonly descending: boolean
  readonly after: Position | undefined
  /** How many positions are wanted. */
  readonly want: number
  /** The estimated number of rows for these positions, for the first statement. */
  readonly about: number
  /** The number of rows after which the walk gives up. */
  readonly budget: number
  /** How many lookups the test of an object takes. */
  readonly probes: number
}

/** Positions in order; fewer than wanted only if there are no more; undefined if the walk gave up. */
export async function walkIds<V>(tx: ReadTx<V>, walk: IdWalk<V>): Promise<Position[] | undefined> {
  const { want, budget, drivers, descending } = walk
  const sign = descending ? -1 : 1
  const found: Position[] = []
  let from = walk.after?.id
  let visited = 0
  let atOnce = Math.min(Math.max(Math.ceil(walk.about), want), MOST_AT_ONCE)
  while (found.length < want) {
    if (visited > budget) return undefined
    const runs: Row[][] = []
    for (const driver of drivers) runs.push(await someRows(tx, walk, driver, { from, atOnce }))
    visited += runs.reduce((sum, rows) => sum + rows.length, 0)
    // If a run goes on, rows of other runs beyond its end may not be next.
    const ends = runs.flatMap((rows) => (rows.length < atOnce ? [] : [(rows.at(-1) as Row).object_id]))
    const horizon = ends.reduce<Buffer | undefined>(
      (nearest, end) => (nearest === undefined || sign * Buffer.compare(end, nearest) < 0 ? end : nearest),
      undefined,
    )
    const known = runs
      .flat()
      .filter(({ object_id }) => horizon === undefined || sign * Buffer.compare(object_id, horizon) <= 0)
    found.push(...distinct(known, sign).map((id) => ({ id, key: NO_BYTES, text: NO_BYTES })))
    if (horizon === undefined) break
    from = horizon
    atOnce = Math.min(atOnce * 2, MOST_AT_ONCE)
  }
  return found.slice(0, want)
}

const MOST_AT_ONCE = 8192

interface Row {
  readonly object_id: Buffer
  readonly matches: number
}

/** The ids of the rows that match, in order, each once. */
function distinct(rows: readonly Row[], sign: number): Buffer[] {
  const ids = rows.flatMap(({ object_id, matches }) => (matches === 1 ? [object_id] : []))
  return ids
    .sort((a, b) => sign * Buffer.compare(a, b))
    .filter((id, i) => i === 0 || !id.equals(ids[i - 1] as Buffer))
}

function someRows<V>(
  tx: ReadTx<V>,
  { clause, descending, probes }: IdWalk<V>,
  driver: Driver<V>,
  { from, atOnce }: { readonly from: Buffer | undefined; readonly atOnce: number },
): Promise<Row[]> {
  const [beyond, direction] = descending ? ['<', 'DESC'] : ['>', 'ASC']
  const behind = from === undefined ? raw('') : sql`AND d.object_id ${raw(beyond)} ${from}`
  const matches =
    clause === driver.condition && driver.exact
      ? raw('1')
      : sql`CASE WHEN ${testOf(tx.dialect, clause, { tagId: ownTagOf(driver) })} THEN 1 ELSE 0 END`
  return tx.all<Row>(sql`
    SELECT d.object_id, ${matches} AS matches ${rowsOfDriver(tx, driver)} ${behind} ${stopPointOf(tx.dialect, atOnce, probes)}
    ORDER BY d.object_id ${raw(direction)} LIMIT ${raw(String(atOnce))}`)
}

/** The rows of a driver, aliased `d`: FROM and WHERE. */
function rowsOfDriver<V>({ dialect }: ReadTx<V>, { condition, exact }: Driver<V>): Sql {
  const [table, index] = exact ? [condition.table, condition.index] : ['tag_values', 'PRIMARY']
  return sql`FROM ${raw(table)} d ${dialect.useIndex(index)} WHERE d.tag_id = ${condition.tag.id}
    ${exact ? sql`AND ${condition.where(raw('d'))}` : raw('')}`
}

/** The tag of a driver's rows, if they are values. */
const ownTagOf = <V>({ condition, exact }: Driver<V>): number | undefined =>
  exact && condition.table === 'terms' ? undefined : condition.tag.id

/** How many objects match a clause; at most `limit`. */
export async function countMatches<V>(
  tx: ReadTx<V>,
  { clause, drivers, limit }: { clause: Probeable<V>; drivers: readonly Driver<V>[]; limit: number },
): Promise<number> {
  const { dialect } = tx
  let count = 0
  for (const [i, driver] of drivers.entries()) {
    if (count === limit) break
    const counted = drivers.slice(0, i).map((earlier) => sql`AND NOT ${isOn(dialect, earlier)}`)
    const row = await tx.one<{ n: number }>(sql`
      SELECT COUNT(*) AS n FROM (
        SELECT 1 AS found ${rowsOfDriver(tx, driver)} AND ${testOf(dialect, clause, { tagId: ownTagOf(driver) })}
        ${join(counted, ' ')} ${stopPointOf(dialect, driver.condition.bound, 1)} LIMIT ${raw(String(limit - count))}) c`)
    count += row?.n ?? 0
  }
  return count
}

/** SQL that is true if a driver has a row for the object of the row `d`. */
const isOn = <V>(dialect: Dialect, { condition, exact }: Driver<V>): Sql =>
  exact
    ? probeOf(dialect, condition, raw('d.object_id'))
    : sql`EXISTS (SELECT 1 FROM tag_values o ${dialect.useIndex('PRIMARY')}
        WHERE o.tag_id = ${condition.tag.id} AND o.object_id = d.object_id)`
