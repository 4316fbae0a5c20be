/** Runs a plan on one view of the store. */
import { ServiceError } from '../../model/errors.ts'
import { leavesOf, type Probeable } from './clauses.ts'
import { joinOf, probeOf, rowsOf, stopPointOf, type RowCondition } from './conditions.ts'
import { count, exceeds } from './estimates.ts'
import { idBytes } from '../database/ids/ids.ts'
import type { Dialect } from '../database/connection/dialects.ts'
import { IdSet } from '../database/ids/id-sets.ts'
import {
  MAX_OBJECTS,
  type CompoundPlan,
  type FetchPlan,
  type MergePlan,
  type Plan,
  type ProbePlan,
  type UnionProof,
} from './plan.ts'
import { join, raw, sql, type Sql } from '../database/connection/sql.ts'
import type { ReadTx } from '../store/views.ts'
import { findLong, findPhrase } from './text-search.ts'

/** How many objects a query, or any operand in it, may match, and the error if there are more. */
export interface Limit {
  readonly objects: number
  readonly error: (text: string) => Error
}

/** The error for a query, or the operand of this text, that matches too many objects. */
export const tooMany = (text: string): ServiceError => new ServiceError('TooManyObjects', { query: text })

const LIMIT: Limit = { objects: MAX_OBJECTS, error: tooMany }

/** One more than the maximum shows that there are too many. */
const upTo = ({ objects }: Limit): Sql => raw(`LIMIT ${String(objects + 1)}`)

/** How many ids are written into one statement, each as its own SELECT. */
const IDS_AT_ONCE = 400

/**
 * The objects that a plan finds. Throws the error of the limit, naming the query or the operand that matches too many; by
 * default that is `TooManyObjects`.
 *
 * Counts only unions and operands that are fetched as a whole: all others are part of these.
 */
export async function execute<V>(tx: ReadTx<V>, plan: Plan<V>, limit = LIMIT): Promise<IdSet> {
  switch (plan.kind) {
    case 'id':
      return IdSet.of(plan.id)
    case 'long':
      return withinLimit(await findLong(tx, plan), plan.text, limit)
    case 'phrase':
      return withinLimit(await findPhrase(tx, plan), plan.text, limit)
    case 'fetch':
      return fetched(tx, plan, limit)
    case 'compound':
      return compound(tx, plan)
    case 'probe':
      return probed(tx, plan, limit)
    case 'merge':
      return merged(tx, plan, limit)
  }
}

function withinLimit(found: IdSet, text: string, { objects, error }: Limit): IdSet {
  if (found.size > objects) throw error(text)
  return found
}

/** Throws `TooManyObjects` if a condition exceeds the limit. */
export async function prove<V>(tx: ReadTx<V>, condition: RowCondition<V>): Promise<void> {
  if (await exceeds(tx, condition, MAX_OBJECTS)) throw tooMany(condition.text)
}

async function proveUnion<V>(
  tx: ReadTx<V>,
  { text, larger, smaller, sampled }: UnionProof<V>,
): Promise<void> {
  const { dialect } = tx
  const missing = MAX_OBJECTS + 1 - (await count(tx, larger, MAX_OBJECTS))
  if (missing > sampled) return
  if (missing < 1) throw tooMany(larger.text)
  const row = await tx.one<{ n: number }>(sql`
    SELECT COUNT(*) AS n FROM (
      SELECT 1 FROM (SELECT d.object_id ${rowsOf(dialect, smaller)} ${stopPointOf(dialect, sampled, 1)} LIMIT ${raw(String(sampled))}) f
      WHERE NOT ${probeOf(dialect, larger, raw('f.object_id'))} LIMIT ${raw(String(missing))}) c`)
  if ((row?.n ?? 0) >= missing) throw tooMany(text)
}

async function fetched<V>(tx: ReadTx<V>, plan: FetchPlan<V>, limit: Limit): Promise<IdSet> {
  const { condition } = plan
  if (plan.prove) await prove(tx, condition)
  const select = selectOf(tx.dialect, plan)
  // A LIMIT that cannot be reached would only cost time.
  const most = condition.bound > limit.objects ? limit.objects : MAX_OBJECTS
  const ids =
    plan.sortedBy === 'connection'
      ? await tx.sortedIds(select, most + 1)
      : await tx.ids(sql`${select} ORDER BY d.object_id ${upTo(limit)}`)
  return withinLimit(ids, condition.text, limit)
}

const selectOf = <V>(dialect: Dialect, { condition, index }: FetchPlan<V>): Sql =>
  sql`SELECT ${idOnce(condition)} ${rowsOf(dialect, condition, index)}`

const idOnce = <V>({ repeats }: RowCondition<V>): Sql => raw(repeats ? 'DISTINCT d.object_id' : 'd.object_id')

async function compound<V>(tx: ReadTx<V>, { arms }: CompoundPlan<V>): Promise<IdSet> {
  for (const { fetch } of arms) if (fetch.prove) await prove(tx, fetch.condition)
  const rows = arms.reduce((sum, { fetch }) => sum + Math.min(fetch.condition.bound, MAX_OBJECTS), 0)
  const stop = stopPointOf(tx.dialect, rows, 0)
  const selects = arms.map(({ operator, fetch }, i) => {
    const select = selectOf(tx.dialect, fetch)
    return i === 0 ? sql`${select} ${stop}` : sql`${raw(operator)} ${select} ${stop}`
  })
  return tx.ids(sql`${join(selects, ' ')} ORDER BY object_id ${upTo(LIMIT)}`)
}

async function merged<V>(tx: ReadTx<V>, { proof, first, steps }: MergePlan<V>, limit: Limit): Promise<IdSet> {
  if (proof !== undefined) await proveUnion(tx, proof)
  let found = await execute(tx, first, limit)
  for (const step of steps) {
    const operand = await execute(tx, step.plan, limit)
    found = await tx.merge(step.merge, found.consume(), operand.consume())
    if (step.merge === 'union') withinLimit(found, step.text, limit)
  }
  return found
}

async function probed<V>(
  tx: ReadTx<V>,
  { proofs, first, about, joins, keep, drop }: ProbePlan<V>,
  limit: Limit,
): Promise<IdSet> {
  for (const condition of proofs) await prove(tx, condition)
  const { dialect } = tx
  const joined = join(
    joins.map((condition, i) => joinOf(dialect, condition, `j${String(i)}`)),
    ' ',
  )
  const tests = join(
    [
      raw('1 = 1'),
      ...keep.map((clause) => testOf(dialect, clause)),
      ...drop.map((clause) => sql`NOT ${testOf(dialect, clause)}`),
    ],
    ' AND ',
  )
  if (first.kind !== 'rows') return tested(tx, await execute(tx, first, limit), joined, tests)
  const rows = rowsOf(dialect, first, first.index, joined)
  const probes = joins.length + [...keep, ...drop].flatMap(leavesOf).length
  const stop = stopPointOf(dialect, about, probes)
  return tx.ids(sql`SELECT ${idOnce(first)} ${rows} ${stop} AND ${tests} ORDER BY d.object_id`)
}

/** The objects of a set that match a clause or, if `wanted` is false, those that do not. */
export const probedIn = <V>(
  tx: ReadTx<V>,
  set: IdSet,
  { clause, wanted }: { readonly clause: Probeable<V>; readonly wanted: boolean },
): Promise<IdSet> => {
  const test = testOf(tx.dialect, clause)
  return tested(tx, set, raw(''), wanted ? test : sql`NOT ${test}`)
}

/** The objects of a set that pass joins and tests. */
async function tested<V>(tx: ReadTx<V>, set: IdSet, joined: Sql, tests: Sql): Promise<IdSet> {
  const passed: Buffer[] = []
  for (const portion of set.portions(IDS_AT_ONCE)) {
    const rows = sql`FROM ${tx.dialect.idsAsTable(portion.bytes)} d ${joined} WHERE ${tests}`
    const ids = await tx.ids(sql`SELECT d.object_id ${rows} ORDER BY d.object_id`)
    passed.push(ids.bytes)
  }
  return IdSet.inOrder(Buffer.concat(passed))
}

/** The row whose object is tested. */
interface TestedRow {
  /** The column with the object, by default that of the row `d`. */
  readonly object?: Sql
  /** The tag of the row `d`, if the row is in `tag_values`: conditions on this tag need no lookup. */
  readonly tagId?: number | undefined
}

/** SQL that is true if the object of a row matches a clause. */
export function testOf<V>(dialect: Dialect, clause: Probeable<V>, row: TestedRow = {}): Sql {
  const { object = raw('d.object_id'), tagId } = row
  const test = (operand: Probeable<V>): Sql => testOf(dialect, operand, row)
  switch (clause.kind) {
    case 'id':
      return sql`${object} = ${idBytes(clause.id)}`
    case 'rows':
      return clause.tag.id === tagId && clause.table === 'tag_values'
        ? sql`(${clause.where(raw('d'))})`
        : probeOf(dialect, clause, object)
    case 'or':
      return sql`(${test(clause.left)} OR ${test(clause.right)})`
    case 'and':
      return sql`(${test(clause.left)} AND ${test(clause.right)})`
    case 'except':
      return sql`(${test(clause.left)} AND NOT ${test(clause.right)})`
  }
}
