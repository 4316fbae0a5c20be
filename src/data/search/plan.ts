/** Plans: how to answer a query. A plan is made before anything is fetched, and can be run or printed. */
import type { IdClause, Probeable } from './clauses.ts'
import type { LongComparison, PhraseCondition, RowCondition } from './conditions.ts'
import type { Merge } from '../database/ids/id-set-merging.ts'

/** The maximum number of objects that a query, or any operand in one, may match. */
export const MAX_OBJECTS = 1_000_000

/**
 * A plan. Plans of kind `id`, `long` and `phrase` are the clause itself, because there is only one way to run it.
 *
 * Every operand must be shown to match at most `MAX_OBJECTS`. The size of an operand that is fetched as a whole shows that;
 * any other operand needs a proof in the plan, unless its bound is proof enough.
 */
export type Plan<V> =
  | IdClause
  | LongComparison<V>
  | PhraseCondition<V>
  | FetchPlan<V>
  | CompoundPlan<V>
  | ProbePlan<V>
  | MergePlan<V>

export type Sorter = 'index' | 'database' | 'connection'

/** All ids of the rows that meet a condition. */
export interface FetchPlan<V> {
  readonly kind: 'fetch'
  readonly condition: RowCondition<V>
  /** The index to read the rows by: the condition's own, or `PRIMARY`, which is in the order of ids. */
  readonly index: string
  /** The sorter of the ids: the index that returns them in order, the database, or the connection as they arrive. */
  readonly sortedBy: Sorter
  /** The estimated number of ids, if there is an estimate. */
  readonly about: number | undefined
  /** Whether to prove first that the condition is within the limit. */
  readonly prove: boolean
}

/** Rows of several conditions, all in the order of ids, which one compound SELECT merges as it reads them. */
export interface CompoundPlan<V> {
  readonly kind: 'compound'
  readonly arms: readonly Arm<V>[]
}

/** An operand of a compound SELECT. The first one's operator is ignored. */
export interface Arm<V> {
  readonly operator: 'INTERSECT' | 'EXCEPT'
  readonly fetch: FetchPlan<V>
}

/** The objects of one operand, each looked up by key in the others, all in one statement. */
export interface ProbePlan<V> {
  readonly kind: 'probe'
  /** Conditions to prove within the limit first. */
  readonly proofs: readonly RowCondition<V>[]
  /** The start: rows read by the same statement, or ids found by a separate plan. */
  readonly first: RowCondition<V> | Plan<V>
  /** The estimated number of objects from the first operand. */
  readonly about: number
  /** Conditions to join, the one with the fewest rows first. */
  readonly joins: readonly RowCondition<V>[]
  /** Other operands that an object must match. */
  readonly keep: readonly Probeable<V>[]
  /** Operands that it must not match. */
  readonly drop: readonly Probeable<V>[]
}

/** Sets that are found one after the other; each is merged into the result so far. */
export interface MergePlan<V> {
  readonly kind: 'merge'
  readonly proof: UnionProof<V> | undefined
  readonly first: Plan<V>
  readonly steps: readonly MergeStep<V>[]
}

export type MergeStep<V> =
  | { readonly merge: Exclude<Merge, 'union'>; readonly plan: Plan<V> }
  /** Only a union can match more objects than its operands do; `text` is its name in the error. */
  | { readonly merge: 'union'; readonly plan: Plan<V>; readonly text: string }

/**
 * A check on a union of two conditions that is likely to exceed the limit. The union exceeds it if all objects of the larger
 * one, plus those of `sampled` rows of the smaller one that do not match the larger one, are too many.
 */
export interface UnionProof<V> {
  /** The union's text. */
  readonly text: string
  readonly larger: RowCondition<V>
  readonly smaller: RowCondition<V>
  readonly sampled: number
}
