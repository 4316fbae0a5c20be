/** Finds objects by a query: the right to run it, and the view that reads the right and finds the answer. */
import type { Username } from '../../model/paths.ts'
import { ServiceError } from '../../model/errors.ts'
import { pathsOf, type Query } from '../../query/ast.ts'
import type { IdSet } from '../database/ids/id-sets.ts'
import { permitTagValues } from '../permissions/permissions.ts'
import type { PermittedTags } from '../permissions/rights.ts'
import type { Store } from '../store/store.ts'
import { SPENT, type Caller, type ReadTx } from '../store/views.ts'
import { clauseOf, type Clause } from './clauses.ts'
import { estimatesOn } from './estimates.ts'
import { execute } from './execution.ts'
import { findFew } from './few.ts'
import { inOnePass } from './one-pass.ts'
import { describePlan, type NotePlan } from './plan-text.ts'
import { planOf } from './planning.ts'

/** A query, and the tags that it uses, which the caller may read. */
export interface Search<V> {
  readonly query: Query
  readonly tags: PermittedTags<'tag-values.read', V>
}

/**
 * The right to run a query: READ on every tag that it uses. `also` lists further tags that the caller wants to read;
 * they are looked up together, so that a missing tag is reported before a forbidden one. Errors as for
 * `permitTagValues`.
 */
export async function permitSearch<V>(
  tx: ReadTx<V>,
  query: Query,
  also: readonly string[] = [],
): Promise<Search<V>> {
  return { query, tags: await permitTagValues(tx, 'read', allPaths(query, also)) }
}

const allPaths = (query: Query, also: readonly string[]): string[] => [
  ...new Set([...pathsOf(query), ...also]),
]

/** The store, the caller, and the observer of the searches. */
interface Asking {
  readonly store: Store
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly observe: Observe
}

/**
 * Runs `work` as `store.look` does, with an `observe` for its searches. Searches of a view that did not answer are not
 * passed on to the caller's `observe`.
 */
export async function looking<T>(
  { store, caller, signal, observe }: Asking,
  work: <V>(tx: ReadTx<V>, observe: Observe) => Promise<T>,
): Promise<T> {
  let searches: FinishedSearch[] = []
  try {
    return await store.look(caller, signal, async (tx) => {
      searches = []
      try {
        return await work(tx, (search) => searches.push(search))
      } catch (error) {
        if (error === SPENT) searches = []
        throw error
      }
    })
  } finally {
    searches.forEach(observe)
  }
}

/**
 * Runs `work` as `looking` does, in a view that has read the right to run a query and to read the tags in `also`. Errors as
 * for `permitSearch`.
 */
export const searching = <T>(
  asking: Asking,
  { query, also = [] }: { readonly query: Query; readonly also?: readonly string[] },
  work: <V>(tx: ReadTx<V>, permitted: Search<V>, observe: Observe) => Promise<T>,
): Promise<T> =>
  looking(asking, async (tx, observe) => work(tx, await permitSearch(tx, query, also), observe))

/** A search that has ended, after success or failure. */
export interface FinishedSearch {
  readonly username: Username
  readonly query: Query
  /** From the first estimate to the last id, not counting the wait for a connection or the reading of values. */
  readonly milliseconds: number
  /** How many objects match; undefined if the search was refused, failed or was stopped. */
  readonly matches: number | undefined
  /** The plan as text, which takes a while to make. */
  readonly plan: () => string
}

/** Receives searches that have ended. */
export type Observe = (search: FinishedSearch) => void

/**
 * The objects that a query matches; calls `observe` when the search ends, after success or failure. Throws `TooManyObjects`
 * when the query or an operand in it matches more than `MAX_OBJECTS`, `QueryTooCostly` when the request's queries take too
 * long, and `TBadRequest` for `matches` on a tag without an index of words.
 */
export async function search<V>(tx: ReadTx<V>, { query, tags }: Search<V>, observe: Observe): Promise<IdSet> {
  return observed(tx, query, observe, async (note) => {
    const found = await findAll(tx, clauseOf(query, tags), note)
    return { result: found, matches: found.size }
  })
}

/** Runs a search within the time that the request's queries have, and calls `observe` at its end. */
export async function observed<T, V>(
  tx: ReadTx<V>,
  query: Query,
  observe: Observe,
  work: (note: NotePlan) => Promise<{ readonly result: T; readonly matches: number }>,
): Promise<T> {
  const start = performance.now()
  let plan = (): string => 'given up while it was planned'
  let matches: number | undefined
  try {
    const found = await tx.inTime(query.text, () => work((noted) => (plan = noted)))
    matches = found.matches
    return found.result
  } finally {
    const { username } = tx.caller
    observe({ username, query, milliseconds: performance.now() - start, matches, plan })
  }
}

/** All objects that a clause matches; errors as for `search`. A short view throws `SPENT` unless few rows determine them. */
export const findAll = <V>(tx: ReadTx<V>, clause: Clause<V>, note: NotePlan): Promise<IdSet> =>
  tx.isShort
    ? findFew(tx, clause, note)
    : inFewestPasses(clause, async (asked) => {
        const plan = await planOf(estimatesOn(tx), asked)
        note(() => describePlan(plan))
        return execute(tx, plan)
      })

/** Runs a clause with merged conditions; if these exceed the limit, runs it unmerged, which shows the operand at fault. */
async function inFewestPasses<V>(
  clause: Clause<V>,
  run: (clause: Clause<V>) => Promise<IdSet>,
): Promise<IdSet> {
  const fewer = inOnePass(clause)
  try {
    return await run(fewer)
  } catch (error) {
    const tooMany = error instanceof ServiceError && error.errorClass === 'TooManyObjects'
    if (fewer === clause || !tooMany) throw error
    return run(clause)
  }
}
