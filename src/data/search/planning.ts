/** Chooses a plan: few objects are probed for all other conditions; many are fetched in the order of ids and merged. */
import {
  chainOf,
  leavesOf,
  split,
  type Chain,
  type Clause,
  type CombinedClause,
  type Operands,
  type Probeable,
} from './clauses.ts'
import type { RowCondition } from './conditions.ts'
import { SORT, STATEMENT } from '../store/costs.ts'
import type { Estimates } from './estimates.ts'
import {
  MAX_OBJECTS,
  type Arm,
  type FetchPlan,
  type MergePlan,
  type MergeStep,
  type Plan,
  type ProbePlan,
  type UnionProof,
} from './plan.ts'
import { MAX_CONDITIONS, probingOf } from './probing.ts'

/** The plan for a clause. It uses estimates and fetches nothing. */
export async function planOf<V>(estimates: Estimates<V>, clause: Clause<V>): Promise<Plan<V>> {
  switch (clause.kind) {
    case 'id':
    case 'long':
    case 'phrase':
      return clause
    case 'rows':
      return fetchPlan(estimates, clause)
    case 'or':
      return unionPlan(estimates, clause)
    case 'and':
    case 'except':
      return chainPlan(estimates, chainOf(clause))
  }
}

const isRows = <V>(clause: Clause<V>): clause is RowCondition<V> => clause.kind === 'rows'

/** Whether a condition can be joined: a join with several rows of an object would repeat that object. */
const isJoinable = <V>(clause: Clause<V>): clause is RowCondition<V> => isRows(clause) && !clause.repeats

const needsProof = <V>(condition: RowCondition<V>): boolean => condition.bound > MAX_OBJECTS

/** Fetches all of a condition by itself. */
function fetchPlan<V>(estimates: Estimates<V>, condition: RowCondition<V>): Promise<FetchPlan<V>> {
  // `has` on a tag whose bound exceeds the limit most likely matches too many objects, and a proof shows that sooner.
  const prove = condition.everyValue && needsProof(condition)
  return readingPlan(estimates, condition, 'connection', prove)
}

/** Reads all of a condition within a compound SELECT. Its ids do not arrive separately, so they cannot be counted. */
async function armPlan<V>(estimates: Estimates<V>, condition: RowCondition<V>): Promise<FetchPlan<V>> {
  const plan = await readingPlan(estimates, condition, 'database', needsProof(condition))
  return plan.index === 'PRIMARY' ? { ...plan, sortedBy: 'index' } : plan
}

/** Reads by the cheapest index that gives the ids in order, or lets `sorter` sort them. */
async function readingPlan<V>(
  estimates: Estimates<V>,
  condition: RowCondition<V>,
  sorter: 'database' | 'connection',
  prove: boolean,
): Promise<FetchPlan<V>> {
  const { index, sorted, bound } = condition
  const sortedBy = sorted ? 'index' : sorter
  const plan: FetchPlan<V> = { kind: 'fetch', condition, index, sortedBy, about: undefined, prove }
  if (sorted || bound <= STATEMENT) return plan
  // If the rows are a large part of the tag, sorting them costs more than reading the whole tag in order.
  const worthSorting = Math.floor(bound / (sorter === 'database' ? SORT : estimates.dialect.sortCost))
  if (worthSorting === bound) return plan
  const about = await estimates.about(condition, worthSorting)
  return { ...plan, about, index: about > worthSorting ? 'PRIMARY' : index }
}

/** Merges the operands of `a or b or …`, from left to right. */
async function unionPlan<V>(estimates: Estimates<V>, union: CombinedClause<V>): Promise<MergePlan<V>> {
  const unions: CombinedClause<V>[] = []
  let first: Clause<V> = union
  for (; first.kind === 'or'; first = first.left) unions.unshift(first)
  const [inner] = unions
  const plan = await planOf(estimates, first)
  const steps: MergeStep<V>[] = []
  for (const { text, right } of unions) {
    steps.push({ merge: 'union', plan: await planOf(estimates, right), text })
  }
  return { kind: 'merge', proof: inner && unionProof(estimates, inner), first: plan, steps }
}

function unionProof<V>(
  { dialect }: Estimates<V>,
  { text, left, right }: CombinedClause<V>,
): UnionProof<V> | undefined {
  const [larger, smaller] = [left, right]
    .filter(isRows)
    .filter((condition) => !condition.selective)
    .sort((a, b) => b.bound - a.bound)
  if (larger === undefined || smaller === undefined) return undefined
  const sampled = Math.floor(smaller.bound / dialect.probeCost)
  return larger.bound + sampled > MAX_OBJECTS ? { text, larger, smaller, sampled } : undefined
}

/** Probes the smallest operand for much larger ones, and merges the rest into the result. */
async function chainPlan<V>(estimates: Estimates<V>, chain: Chain<V>): Promise<Plan<V>> {
  const { first, about, probed, merged } = await probingOf(estimates, chain)
  if (probed.all.length + probed.none.length === 0) return mergedPlan(estimates, chain)
  return narrowed(estimates, await probePlan(estimates, first, about, probed), merged)
}

async function probePlan<V>(
  estimates: Estimates<V>,
  first: Clause<V>,
  about: number,
  { all, none }: Operands<V, Probeable<V>>,
): Promise<ProbePlan<V>> {
  const conditions = [...all, ...none, ...(isRows(first) ? [first] : [])].flatMap(leavesOf).filter(isRows)
  return {
    kind: 'probe',
    proofs: conditions.filter(needsProof),
    first: isRows(first) ? first : await planOf(estimates, first),
    about,
    // Databases probe a joined table faster than one in a subquery; and the smallest table first leaves less to probe.
    joins: all.filter(isJoinable).sort((a, b) => a.bound - b.bound),
    keep: all.filter((clause) => !isJoinable(clause)),
    drop: none,
  }
}

/** Fetches all of each operand and merges them, in one statement if the database does that well. */
async function mergedPlan<V>(estimates: Estimates<V>, chain: Chain<V>): Promise<Plan<V>> {
  let left = estimates.dialect.mergesInOrder ? MAX_CONDITIONS : 0
  const [compound, others] = split(
    chain,
    (clause): clause is RowCondition<V> => isRows(clause) && --left >= 0,
  )
  if (compound.all.length === 0) {
    const [first, ...all] = chain.all
    return narrowed(estimates, await planOf(estimates, first), { all, none: chain.none })
  }
  const arms: Arm<V>[] = []
  for (const [operands, operator] of [
    [compound.all, 'INTERSECT'],
    [compound.none, 'EXCEPT'],
  ] as const) {
    for (const condition of operands) {
      arms.push({ operator, fetch: await armPlan(estimates, condition) })
    }
  }
  return narrowed(estimates, { kind: 'compound', arms }, others)
}

/** Fetches the operands and merges them into `first`. */
async function narrowed<V>(
  estimates: Estimates<V>,
  first: Plan<V>,
  { all, none }: Operands<V>,
): Promise<Plan<V>> {
  const steps: MergeStep<V>[] = []
  for (const clause of all) steps.push({ merge: 'intersection', plan: await planOf(estimates, clause) })
  for (const clause of none) steps.push({ merge: 'difference', plan: await planOf(estimates, clause) })
  return steps.length === 0 ? first : { kind: 'merge', proof: undefined, first, steps }
}
