/** Finding objects (S 4.0 rule 7): the right to ask, and the view on which the answer is found. */
import { conditionsOf, pathsOf, type Query } from '../../query/ast.ts'
import { conditionOf, type Condition } from './conditions.ts'
import { Evaluation } from './evaluation.ts'
import type { IdSet } from '../database/id-sets.ts'
import { permitTagValues, type Permitted } from '../permissions/permissions.ts'
import type { Caller, ReadTx, Store } from '../store/store.ts'

/** A query, its text, and the tags that it asks about, which the caller may read. */
export interface Search {
  readonly query: Query
  readonly text: string
  readonly tags: ReadonlyMap<string, Permitted<'tag-values.read'>>
}

/**
 * The right to run a query: READ on every tag that it asks about. `also` are further tags that the caller wants to
 * read; they are looked up together, so that a missing one is told before a forbidden one. Errors as for
 * `permitTagValues`.
 */
export async function permitSearch(
  tx: ReadTx,
  query: Query,
  text: string,
  also: readonly string[] = [],
): Promise<Search> {
  const paths = [...new Set([...pathsOf(query), ...also])]
  const tags = await permitTagValues(tx, 'read', paths)
  return {
    query,
    text,
    tags: new Map(paths.map((path, i) => [path, tags[i] as Permitted<'tag-values.read'>])),
  }
}

/** The most values of each tag in a query that is done in no time. */
const SHORT = 2000

/**
 * Runs `work` with the right to run a query, on one view: a short one where its tags have few values, else a long one,
 * for which `signal` is as for `store.scan`. Errors as for `permitSearch`.
 */
export async function searching<T>(
  { store, caller, signal }: { store: Store; caller: Caller; signal: AbortSignal },
  { query, text, also }: { query: Query; text: string; also?: readonly string[] },
  work: (tx: ReadTx, permitted: Search) => Promise<T>,
): Promise<T> {
  const permitted = await store.glance(caller, (tx) => permitSearch(tx, query, text, also))
  const short = [...permitted.tags.values()].every((tag) => tag.valueBound <= SHORT)
  return short
    ? store.read(caller, (tx) => work(tx, permitted))
    : store.scan(caller, signal, (tx) => work(tx, permitted))
}

/**
 * The objects that a query matches. Throws `TooManyObjects` when the query or an operand in it matches more than
 * `MAX_OBJECTS`, `TBadRequest` for `matches` on a tag that is not indexed.
 */
export async function search(tx: ReadTx, { query, text, tags }: Search): Promise<IdSet> {
  const conditions = new Map<Query, Condition>()
  for (const node of conditionsOf(query)) {
    if (node.kind !== 'id')
      conditions.set(node, conditionOf(node, tags.get(node.path) as Permitted<'tag-values.read'>))
  }
  return new Evaluation(tx, text, conditions).find(query)
}
