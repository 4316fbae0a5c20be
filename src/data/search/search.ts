/** Finding objects by a query: the right to run it, and the view in which the right is read and the answer found. */
import type { Username } from '../../model/paths.ts'
import { ServiceError } from '../../model/errors.ts'
import { conditionsOf, pathsOf, type Query } from '../../query/ast.ts'
import type { IdSet } from '../database/ids/id-sets.ts'
import { permitTagValues } from '../permissions/permissions.ts'
import type { PermittedTags } from '../permissions/rights.ts'
import { hintsOfStores } from '../store/hints.ts'
import type { Store } from '../store/store.ts'
import type { Caller, ReadTx } from '../store/views.ts'
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

/**
 * A query whose tags have at most this many values is quick enough for a short view, unless its conditions look at more
 * values in all.
 */
const SHORT = 2000
const SHORT_IN_ALL = 20_000

/** Paths of tags that have many values, and searches that few rows did not decide. */
const largeIn = hintsOfStores<true>()

/** Whether a short view is enough for a query; tags that it lacks count for nothing. */
export function isShort<V>({ query, tags }: Search<V>): boolean {
  if ([...tags.values()].some((tag) => tag.valueBound > SHORT)) return false
  const looks = conditionsOf(query.root).map((one) =>
    one.kind === 'id' ? 1 : (tags.get(one.path)?.valueBound ?? 0),
  )
  return looks.reduce((sum, count) => sum + count, 0) <= SHORT_IN_ALL
}

/**
 * Runs `work` on one view in which the right to run a query was read: a short view if its tags have few values, else a
 * long one, for which `signal` is as for `store.scan`. Where there is `few`, that runs in the short view in the place of `work`,
 * whatever the tags have, and answers unless it gives undefined. Errors as for `permitSearch`.
 */
export async function searching<T>(
  { store, caller, signal }: { store: Store; caller: Caller; signal: AbortSignal },
  { query, also = [] }: { query: Query; also?: readonly string[] },
  work: <V>(tx: ReadTx<V>, permitted: Search<V>) => Promise<T>,
  few?: <V>(tx: ReadTx<V>, permitted: Search<V>) => Promise<T | undefined>,
): Promise<T> {
  const large = largeIn(store)
  const asked = [query.text, ...also].join(' ')
  const known = few === undefined ? [...pathsOf(query), ...also] : [asked]
  if (!known.some((text) => large.find(text))) {
    const done = await store.read(caller, async (tx) => {
      const permitted = await permitSearch(tx, query, also)
      if (few !== undefined) return few(tx, permitted)
      return isShort(permitted) ? work(tx, permitted) : undefined
    })
    if (done !== undefined) return done
    if (few !== undefined) large.note(asked, true)
  }
  // The long view may have to wait for its turn, and a right from an earlier view is not valid in it.
  return store.scan(caller, signal, async (tx) => {
    const permitted = await permitSearch(tx, query, also)
    for (const [path, { valueBound }] of permitted.tags) large.note(path, valueBound > SHORT || undefined)
    return work(tx, permitted)
  })
}

/**
 * Runs `work` on what a query matches, in the view in which the right to ask was read and the answer found: a short view if
 * few rows decide it and `fitsShortView` says so of the objects found, else a long one. Otherwise like `searching` and `search`.
 */
export const finding = <T>(
  { observe, ...asking }: Finding,
  { fitsShortView, ...wanted }: Wanted,
  work: <V>(tx: ReadTx<V>, permitted: Search<V>, found: IdSet) => Promise<T>,
): Promise<T> =>
  searching(
    asking,
    wanted,
    async (tx, permitted) => work(tx, permitted, await search(tx, permitted, observe)),
    async (tx, permitted) => {
      const found = await searchFew(tx, permitted, { fitsShortView, observe })
      return found && work(tx, permitted, found)
    },
  )

/** Who asks, and who is told what was found. */
interface Finding {
  readonly store: Store
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly observe: Observe
}

/** A query, further tags to read, and whether that is little work on so many objects. */
interface Wanted {
  readonly query: Query
  readonly also?: readonly string[]
  readonly fitsShortView: (objects: number) => boolean
}

/** A search that has ended, successfully or not. */
export interface FinishedSearch {
  readonly username: Username
  readonly query: Query
  /** From the first estimate to the last id, not counting the wait for a connection or the reading of values. */
  readonly milliseconds: number
  /** How many objects match; undefined if the search was refused, failed or was abandoned. */
  readonly matches: number | undefined
  /** The plan as text, which takes a while to make. */
  readonly plan: () => string
}

/** Receives searches that have ended. */
export type Observe = (search: FinishedSearch) => void

/**
 * The objects that a query matches; `observe` is called when the search ends, successfully or not. Throws
 * `TooManyObjects` when the query or an operand in it matches more than `MAX_OBJECTS`, `QueryTooCostly` when the
 * request's queries take too long, and `TBadRequest` for `matches` on a tag that is not indexed.
 */
export async function search<V>(tx: ReadTx<V>, { query, tags }: Search<V>, observe: Observe): Promise<IdSet> {
  return observed(tx, query, observe, async (note) => {
    const found = await findAll(tx, clauseOf(query, tags), note)
    return { result: found, matches: found.size }
  })
}

/** As `search`, if few rows decide what matches and `fitsShortView` says so of how many objects do; else undefined. */
async function searchFew<V>(
  tx: ReadTx<V>,
  { query, tags }: Search<V>,
  { fitsShortView, observe }: Pick<Wanted, 'fitsShortView'> & Pick<Finding, 'observe'>,
): Promise<IdSet | undefined> {
  const clause = clauseOf(query, tags)
  return observed(tx, query, observe, async (note) => {
    const found = await findFew(tx, clause, note)
    const result = found !== undefined && fitsShortView(found.size) ? found : undefined
    return { result, matches: result?.size }
  })
}

/**
 * Runs work that finds what a query matches, in the time that queries have, and tells `observe` about it, unless the work
 * leaves the answer to others: then `matches` is undefined.
 */
export async function observed<T, V>(
  tx: ReadTx<V>,
  query: Query,
  observe: Observe,
  work: (note: NotePlan) => Promise<{ readonly result: T; readonly matches: number | undefined }>,
): Promise<T> {
  const start = performance.now()
  let plan = (): string => 'given up while it was planned'
  let matches: number | undefined
  let ended = true
  try {
    const found = await tx.inTime(query.text, () => work((noted) => (plan = noted)))
    matches = found.matches
    ended = matches !== undefined
    return found.result
  } finally {
    const { username } = tx.caller
    if (ended) observe({ username, query, milliseconds: performance.now() - start, matches, plan })
  }
}

/** All objects that a clause matches; errors as for `search`. */
export const findAll = <V>(tx: ReadTx<V>, clause: Clause<V>, note: NotePlan): Promise<IdSet> =>
  inFewestPasses(clause, async (asked) => {
    const plan = await planOf(estimatesOn(tx), asked)
    note(() => describePlan(plan))
    return execute(tx, plan)
  })

/** Runs a clause with as few conditions as possible; only one by one they show which operand exceeds the limit. */
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
