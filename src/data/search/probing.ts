/** Finds the smallest operand of a chain, and the other operands that are worth probing for each of its objects. */
import {
  alternativesOf,
  isProbeable,
  leavesOf,
  split,
  type Chain,
  type Clause,
  type CombinedClause,
  type Operands,
  type Probeable,
} from './clauses.ts'
import { STATEMENT } from '../store/costs.ts'
import type { Estimates } from './estimates.ts'
import { MAX_OBJECTS } from './plan.ts'

/** How many conditions one statement may have: engines limit the number of SELECTs and their nesting. */
export const MAX_CONDITIONS = 50

/** An operand is counted only up to this multiple of the smallest one: a larger one will be probed. */
const COUNTED = 3

/** A chain, divided into what to probe and what to merge. */
export interface Probing<V> {
  /** The operand that seems to match the fewest objects. */
  readonly first: Clause<V>
  /** The estimated number of its matches. */
  readonly about: number
  /** Operands to look up for each of its objects. */
  readonly probed: Operands<V, Probeable<V>>
  /** Operands to fetch. */
  readonly merged: Operands<V>
}

/** Divides a chain, based on estimates. */
export async function probingOf<V>(estimates: Estimates<V>, chain: Chain<V>): Promise<Probing<V>> {
  const sizes = await sizesOf(estimates, chain.all)
  const [first, about] = [...sizes].reduce((smallest, one) => (one[1] < smallest[1] ? one : smallest))
  const rest: Operands<V> = { all: chain.all.filter((clause) => clause !== first), none: chain.none }
  const expensive = await expensiveOf(estimates, rest, about, sizes)
  const [probed, merged] = split(
    rest,
    (clause): clause is Probeable<V> => isProbeable(clause) && expensive.has(clause),
  )
  return { first, about, probed, merged }
}

/** The estimated number of matches of each operand. If only counting can tell, it counts only as far as is useful. */
async function sizesOf<V>(
  estimates: Estimates<V>,
  clauses: readonly Clause<V>[],
): Promise<Map<Clause<V>, number>> {
  const sizes = new Map(clauses.map((clause) => [clause, clause.bound]))
  const worthKnowing = Math.floor(Math.max(...sizes.values()) / estimates.dialect.probeCost)
  for (const clause of [...clauses].sort((a, b) => a.bound - b.bound)) {
    if (clause.kind !== 'rows' || !clause.selective || clause.bound <= STATEMENT) continue
    const smallest = Math.min(...sizes.values())
    if (smallest <= STATEMENT) break
    // A larger operand will be probed anyway, and counting that far takes less time than probing the smallest one.
    sizes.set(clause, await estimates.about(clause, Math.min(worthKnowing, smallest * COUNTED)))
  }
  return sizes
}

/** The operands that cost more to fetch than to probe for `size` objects, as many as fit into one statement. */
async function expensiveOf<V>(
  estimates: Estimates<V>,
  { all, none }: Operands<V>,
  size: number,
  sizes: ReadonlyMap<Clause<V>, number>,
): Promise<Set<Probeable<V>>> {
  const expensive = new Set<Probeable<V>>()
  let conditions = 0
  for (const clause of [...all, ...none]) {
    const worthFetching =
      size > STATEMENT && (sizes.get(clause) ?? clause.bound) <= size * estimates.dialect.probeCost
    if (worthFetching || !isProbeable(clause) || !(await unionsWithinLimit(estimates, clause))) continue
    conditions += leavesOf(clause).length
    if (conditions <= MAX_CONDITIONS) expensive.add(clause)
  }
  return expensive
}

/** Whether all unions in a clause are known to be within the limit: a probe would not show that they exceed it. */
async function unionsWithinLimit<V>(estimates: Estimates<V>, clause: Clause<V>): Promise<boolean> {
  if (!('left' in clause)) return true
  if (!(await unionsWithinLimit(estimates, clause.left))) return false
  if (!(await unionsWithinLimit(estimates, clause.right))) return false
  return clause.kind !== 'or' || isWithinLimit(estimates, clause)
}

/** Whether a union is known to be within the limit; checks operands that may be far below their bounds if necessary. */
async function isWithinLimit<V>(estimates: Estimates<V>, union: CombinedClause<V>): Promise<boolean> {
  if (union.bound <= MAX_OBJECTS) return true
  for (const clause of alternativesOf(union)) {
    if (clause.kind !== 'rows' || !clause.selective) continue
    const left = MAX_OBJECTS - (union.bound - clause.bound)
    if (left >= 0 && !(await estimates.exceeds(clause, left))) return true
  }
  return false
}
