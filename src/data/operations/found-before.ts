/**
 * Runs the queries of a change before its transaction: an open transaction blocks all other writers on SQLite, and with its
 * locks some of them on other databases.
 */
import { ServiceError } from '../../model/errors.ts'
import { foldPath } from '../../model/paths.ts'
import { aboutOf, ID_PATH, pathsOf, type Query } from '../../query/ast.ts'
import type { SortedIds } from '../database/ids/id-sets.ts'
import { requireTags } from '../permissions/permissions.ts'
import { looking, permitSearch, search, type Observe } from '../search/search.ts'
import type { Store } from '../store/store.ts'
import type { Caller, ReadTx } from '../store/views.ts'
import { SERVICE } from '../entities/users.ts'

/** A query, and the tags, by folded path, whose values the change sets on the matching objects. */
export interface Asked {
  readonly query: Query
  readonly values: ReadonlyMap<string, unknown>
}

/** The objects found. This says nothing about rights: the transaction checks these again. */
export type FoundBefore = ReadonlyMap<Asked, SortedIds>

/** The store, the caller, the observer of the searches, and the maximum number of ids in memory. */
interface Finding {
  readonly store: Store
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly observe: Observe
  readonly maxIds: number
}

/**
 * Runs the queries that it can, in one view. The transaction runs the others, and reports errors in the order of the
 * queries. Throws `QueryTooCostly` and the errors of `store.scan`.
 */
export async function findBefore(all: readonly Asked[], finding: Finding): Promise<FoundBefore> {
  const order = independentOf(all)
  if (order.wanted.length === 0) return new Map()
  return looking(finding, (tx, observe) => findEach(tx, order, { observe, maxIds: finding.maxIds }))
}

/** A query whose results no earlier element can change, and the number of tags that earlier elements write. */
interface Independent {
  readonly asked: Asked
  /** How many of the tags must exist already: creating a tag changes the results of the query. */
  readonly existing: number
}

interface Order {
  readonly wanted: readonly Independent[]
  /** The tags that elements write, in the order of their first use. */
  readonly written: readonly string[]
}

function independentOf(all: readonly Asked[]): Order {
  const written = new Set<string>()
  const wanted: Independent[] = []
  let makesObjects = false
  for (const asked of all) {
    const { query, values } = asked
    const about = aboutOf(query)
    if (about !== undefined) makesObjects = true
    else if (query.root.kind !== 'id') {
      const paths = pathsOf(query).map(foldPath)
      const asksSystem = paths.some(isOfSystem)
      const depends = paths.some((path) => written.has(path)) || (asksSystem && makesObjects)
      if (!depends) wanted.push({ asked, existing: asksSystem ? written.size : 0 })
    }
    for (const path of values.keys()) written.add(path)
  }
  return { wanted, written: [...written] }
}

/** Whether the service itself writes the tag's values, as for new objects and tags. */
const isOfSystem = (path: string): boolean => path.startsWith(`${SERVICE.username}/`) && path !== ID_PATH

async function findEach<V>(
  tx: ReadTx<V>,
  { wanted, written }: Order,
  { observe, maxIds }: Pick<Finding, 'observe' | 'maxIds'>,
): Promise<FoundBefore> {
  const found = new Map<Asked, SortedIds>()
  let [left, checked] = [maxIds, 0]
  for (const { asked, existing } of wanted) {
    const ids = await unlessRefused(
      (async () => {
        if (existing > checked) await requireTags(tx, written.slice(checked, existing))
        return search(tx, await permitSearch(tx, asked.query), observe)
      })(),
    )
    left -= ids?.size ?? 0
    if (ids === undefined || left < 0) break
    checked = Math.max(checked, existing)
    found.set(asked, ids)
  }
  return found
}

/** Undefined for an error that the transaction will throw, unless the transaction throws another one before. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError && error.errorClass !== 'QueryTooCostly') return undefined
    throw error
  }
}
