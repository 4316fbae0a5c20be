/**
 * What the queries of a change find before its transaction: while that is open, nobody else writes on SQLite, and others wait for
 * its locks elsewhere.
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

/** A query, and the tags, by folded path, of which what it finds gets values. */
export interface Asked {
  readonly query: Query
  readonly values: ReadonlyMap<string, unknown>
}

/** What was found. It says nothing about rights: these are read again where it is used. */
export type FoundBefore = ReadonlyMap<Asked, SortedIds>

/** Who asks, who is told of the searches, and how many ids are kept at most. */
interface Finding {
  readonly store: Store
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly observe: Observe
  readonly maxIds: number
}

/**
 * Finds what it can, on one view; the transaction has to find the rest, and to say what is wrong, in the order of the queries.
 * Throws `QueryTooCostly`, and what `store.scan` throws.
 */
export async function findBefore(all: readonly Asked[], finding: Finding): Promise<FoundBefore> {
  const order = independentOf(all)
  if (order.wanted.length === 0) return new Map()
  return looking(finding, (tx, observe) => findEach(tx, order, { observe, maxIds: finding.maxIds }))
}

/** A query that no earlier element can give other results, and how many tags these write. */
interface Independent {
  readonly asked: Asked
  /** How many of the tags must exist already: making one changes what the query finds. */
  readonly existing: number
}

interface Order {
  readonly wanted: readonly Independent[]
  /** The tags that elements write, in the order in which they first do. */
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

/** Whether a tag's values are the service's own, which new objects and tags get. */
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

/** Undefined for errors that the transaction will throw, unless it throws another one before. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError && error.errorClass !== 'QueryTooCostly') return undefined
    throw error
  }
}
