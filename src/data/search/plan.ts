/** How a query is going to be answered: a plan, made before anything is fetched, that can be run and printed. */
import type { IdClause, Probeable } from './clauses.ts'
import type { LongComparison, PhraseCondition, RowCondition } from './conditions.ts'
import type { Merge } from '../database/id-set-merging.ts'

/** No query, and no operand in one, may match more objects. */
export const MAX_OBJECTS = 1_000_000

/**
 * A plan. Those of kind `id`, `long` and `phrase` are the clause itself, for which there is one way.
 *
 * Every operand must be shown to match no more than `MAX_OBJECTS`. What is fetched as a whole shows it by its size; for
 * anything else a plan has proofs, unless the operand's bound is proof enough.
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
  /** The index that the rows are read by: the condition's own, or `PRIMARY`, which is in the order of ids. */
  readonly index: string
  /** Who puts the ids in order: nobody, where the index does, or the database, or the connection as they arrive. */
  readonly sortedBy: Sorter
  /** About how many they are, where that was asked. */
  readonly about: number | undefined
  /** Whether the condition is proved to be within the limit first. */
  readonly prove: boolean
}

/** Rows of several conditions, all in the order of ids, which one compound SELECT merges as they come. */
export interface CompoundPlan<V> {
  readonly kind: 'compound'
  readonly arms: readonly Arm<V>[]
}

/** An operand of a compound SELECT. The first one's operator is of no account. */
export interface Arm<V> {
  readonly operator: 'INTERSECT' | 'EXCEPT'
  readonly fetch: FetchPlan<V>
}

/** The objects of one operand, each looked up by its key in the others, in the same statement. */
export interface ProbePlan<V> {
  readonly kind: 'probe'
  /** Conditions that are proved to be within the limit first. */
  readonly proofs: readonly RowCondition<V>[]
  /** Where to start: rows of the same statement, or ids that a plan of their own finds. */
  readonly first: RowCondition<V> | Plan<V>
  /** About how many objects that gives. */
  readonly about: number
  /** Conditions that are joined, the one with the fewest rows first. */
  readonly joins: readonly RowCondition<V>[]
  /** Other operands that an object must match. */
  readonly keep: readonly Probeable<V>[]
  /** Operands that it must not match. */
  readonly drop: readonly Probeable<V>[]
}

/** Sets that are found one after the other, each merged into what the ones before it came to. */
export interface MergePlan<V> {
  readonly kind: 'merge'
  readonly proof: UnionProof<V> | undefined
  readonly first: Plan<V>
  readonly steps: readonly MergeStep<V>[]
}

export type MergeStep<V> =
  | { readonly merge: Exclude<Merge, 'union'>; readonly plan: Plan<V> }
  /** Only a union can match more than its operands do; `text` is what it is called then. */
  | { readonly merge: 'union'; readonly plan: Plan<V>; readonly text: string }

/**
 * A look at a union of two conditions that may well be beyond the limit: it is, if all objects of the larger one and
 * those of `sampled` rows of the smaller one that do not match the larger one are together too many.
 */
export interface UnionProof<V> {
  /** The union's text. */
  readonly text: string
  readonly larger: RowCondition<V>
  readonly smaller: RowCondition<V>
  readonly sampled: number
}
