/** Searches that read few rows, however large the store is: fast enough for a short view. */
import type { IdSet } from '../database/ids/id-sets.ts'
import { PROBE, SHORT_COUNTED, SHORT_MATCHES, STATEMENT, VALUE } from '../store/costs.ts'
import { SPENT, type ReadTx } from '../store/views.ts'
import { leavesOf, type Clause } from './clauses.ts'
import { readsOthers, type PhraseCondition, type RowCondition } from './conditions.ts'
import { count, explained, type Estimates } from './estimates.ts'
import { execute } from './execution.ts'
import { inOnePass } from './one-pass.ts'
import type { FetchPlan, Plan, ProbePlan } from './plan.ts'
import { describePlan, type NotePlan } from './plan-text.ts'
import { planOf } from './planning.ts'
import { countTerms, findWithin, onlyTerms } from './text-search.ts'

const LIMIT = { objects: SHORT_MATCHES, error: () => SPENT }

/**
 * The objects that a clause matches. Throws `SPENT` unless few rows determine them, and finds that out from few rows. It
 * proves no limit, and so never refuses: a clause that may exceed the limit is not one with few rows.
 */
export async function findFew<V>(tx: ReadTx<V>, clause: Clause<V>, note: NotePlan): Promise<IdSet> {
  tx.spend(leavesOf(clause).length * STATEMENT)
  const asked = inOnePass(clause)
  if (asked.kind === 'phrase') {
    const terms = onlyTerms(asked.words)
    note(() => describePlan(asked))
    if (terms !== undefined) return findWithin(tx, asked.tag, terms, SHORT_MATCHES)
  }
  const plan = readAlone(asked) ?? (await planOf(countsOn(tx), asked))
  tx.spend(await rowsFor(tx, plan))
  note(() => describePlan(plan))
  return execute(tx, plan, LIMIT)
}

/**
 * The plan for a single condition that reads only rows that match: reading them up to the limit shows as well as a count
 * that there are no more. Undefined for any other clause.
 */
function readAlone<V>(asked: Clause<V>): FetchPlan<V> | undefined {
  if (asked.kind !== 'rows' || !asked.selective || readsOthers(asked)) return undefined
  const sortedBy = asked.sorted ? 'index' : 'connection'
  return { kind: 'fetch', condition: asked, index: asked.index, sortedBy, about: undefined, prove: false }
}

/**
 * Estimates that are counts, on all databases, and read few rows in all. Beyond that, they return bounds. If the database's
 * own estimate is too high, nothing is counted: counting takes several times as long as EXPLAIN.
 */
function countsOn<V>(tx: ReadTx<V>): Estimates<V> {
  let left = SHORT_COUNTED
  const counted = async (condition: RowCondition<V>, limit: number): Promise<number | undefined> => {
    const most = Math.min(limit, SHORT_MATCHES, left)
    if (readsOthers(condition) || most <= 0) return undefined
    // This is only an estimate; a wrong one costs time and nothing else.
    if (tx.dialect.explainsRows && (await explained(tx, condition)) > most) return undefined
    const found = await count(tx, condition, most)
    left -= found * rowsPerObject(condition)
    return found > most ? undefined : found
  }
  return {
    dialect: tx.dialect,
    about: async (condition, limit) => (await counted(condition, limit)) ?? condition.bound,
    exceeds: async (condition, limit) => ((await counted(condition, limit)) ?? Infinity) > limit,
  }
}

/** An upper bound on the rows that a plan reads; infinite if it is unknown. */
async function rowsFor<V>(tx: ReadTx<V>, plan: Plan<V>): Promise<number> {
  switch (plan.kind) {
    case 'id':
      return 0
    case 'long':
      return plan.bound * VALUE
    case 'phrase':
      return phraseRows(tx, plan)
    case 'fetch':
      return fetchedRows(plan, SHORT_MATCHES)
    case 'compound':
      return sumOf(plan.arms.map(({ fetch }) => fetchedRows(fetch, Infinity)))
    case 'probe':
      return probedRows(tx, plan)
    case 'merge': {
      if (plan.proof !== undefined) return Infinity
      const parts = [plan.first, ...plan.steps.map((step) => step.plan)]
      return sumOf(await Promise.all(parts.map((part) => rowsFor(tx, part))))
    }
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

async function phraseRows<V>(tx: ReadTx<V>, phrase: PhraseCondition<V>): Promise<number> {
  const terms = await countTerms(tx, phrase, SHORT_MATCHES)
  if (terms === undefined) return phrase.bound * VALUE
  return terms > SHORT_MATCHES ? Infinity : terms
}

/** An object may have several of the terms. */
const rowsPerObject = <V>({ asked }: RowCondition<V>): number => ('terms' in asked ? asked.terms.length : 1)

/** An upper bound on the rows of a fetch: if all rows meet the condition, only those of `most` objects are read. */
function fetchedRows<V>({ condition, index, prove }: FetchPlan<V>, most: number): number {
  const { bound, selective, everyValue } = condition
  if (prove || (everyValue && bound > most)) return Infinity
  const objects = selective && !readsOthers(condition, index) ? Math.min(bound, most) : bound
  return objects * rowsPerObject(condition)
}

async function probedRows<V>(
  tx: ReadTx<V>,
  { proofs, first, about, joins, keep, drop }: ProbePlan<V>,
): Promise<number> {
  if (proofs.length > 0) return Infinity
  const probes = joins.length + [...keep, ...drop].flatMap(leavesOf).length
  const perObject = first.kind === 'rows' ? rowsPerObject(first) : 1
  const found = about * perObject
  return (first.kind === 'rows' ? found : await rowsFor(tx, first)) + found * probes * PROBE
}
