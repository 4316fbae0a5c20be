/** The values that tags have on the objects that a query matches: their number, their types and the most frequent ones. */
import type { PrimitiveType } from '../../model/tag-value.ts'
import type { IdSet } from '../database/ids/id-sets.ts'
import { tagAt } from '../permissions/permissions.ts'
import { clauseOf } from '../search/clauses.ts'
import type { ReadableTag } from '../search/conditions.ts'
import { inOnePass } from '../search/one-pass.ts'
import { search, type FinishedSearch, type Observe, type Search } from '../search/search.ts'
import { VALUE } from '../store/costs.ts'
import { ID_TAG } from '../store/tables.ts'
import type { ReadTx } from '../store/views.ts'
import { binsOf, type NumberBin, type Scale } from './facet-bins.ts'
import { grouped, type Grouped } from './facet-groups.ts'
import { topItems } from './facet-items.ts'
import { countBetween, rowsOnMatches, type Held, type Matches } from './facet-rows.ts'
import { countedValues, numberJson, type CountedValue } from './facet-values.ts'

/** The options for each tag. */
export interface FacetOptions {
  /** How many of the most frequent values to return at most. */
  readonly top: number
  /** The number of bins for numbers; 0 for none. */
  readonly bins: number
  readonly scale: Scale
  /** Memory limits; useful ones by default. */
  readonly held?: Held
}

const HELD: Held = { groups: 100_000, octets: 256 * 1024 }

/** The values of a tag on some objects. */
export interface Facet {
  readonly path: string
  /** How many of the objects have the tag. */
  readonly objects: number
  /** How many values of each type these objects have; types without values are missing. */
  readonly types: ReadonlyMap<PrimitiveType | 'opaque', number>
  readonly top: readonly CountedValue[]
  /** The most frequent items of lists; undefined if there are no lists. */
  readonly items: readonly CountedValue[] | undefined
  /** Undefined if there are no numbers. */
  readonly numbers: NumberSpread | undefined
}

/** The distribution of numbers. Numbers are JSON, which is exact. */
export interface NumberSpread {
  readonly smallest: string
  readonly largest: string
  /** Undefined if no bins are wanted. */
  readonly bins: readonly NumberBin[] | undefined
}

/** How many objects a query matches, and the values of tags on them. */
export interface Facets {
  readonly count: number
  readonly facets: readonly Facet[]
}

/**
 * The facets of the tags at `paths`, each tag once, on the objects that a query matches. Calls `observe` at the end, after
 * success or failure. Throws the errors of `search`; the time of counting counts as time of the request's queries.
 */
export async function facetsOf<V>(
  tx: ReadTx<V>,
  permitted: Search<V>,
  {
    paths,
    observe,
    ...options
  }: FacetOptions & { readonly paths: readonly string[]; readonly observe: Observe },
): Promise<Facets> {
  const start = performance.now()
  const counting: string[] = []
  const note = (step: string): unknown => counting.push(step)
  let searched: FinishedSearch | undefined
  let count: number | undefined
  try {
    const found = await search(tx, permitted, (finished) => (searched = finished))
    const facets = await tx.inTime(permitted.query.text, () =>
      counted(tx, permitted, { paths, found, options, note }),
    )
    count = facets.count
    return facets
  } finally {
    if (searched !== undefined) {
      const { plan, ...rest } = searched
      const milliseconds = performance.now() - start
      observe({ ...rest, milliseconds, matches: count, plan: () => [plan(), ...counting].join('\n') })
    }
  }
}

interface Counting {
  readonly paths: readonly string[]
  readonly found: IdSet
  readonly options: FacetOptions
  /** Receives, for each tag, a text that says how its values are counted. */
  readonly note: (step: string) => unknown
}

async function counted<V>(
  tx: ReadTx<V>,
  { query, tags }: Search<V>,
  { paths, found, options, note }: Counting,
): Promise<Facets> {
  const matches: Matches<V> = { found, clause: inOnePass(clauseOf(query, tags)) }
  const wanted = new Map(paths.map((path) => tagAt(tags, path)).map((tag) => [tag.path, tag]))
  const facets: Facet[] = []
  try {
    for (const { valueBound } of wanted.values()) tx.spend(VALUE * Math.min(found.size, valueBound))
    for (const tag of wanted.values()) {
      facets.push(
        tag.id === ID_TAG.id ? idFacet(found, options) : await facetOf(tx, tag, { matches, options, note }),
      )
    }
    return { count: found.size, facets }
  } finally {
    found.release()
  }
}

/** Every object has an id of its own. */
function idFacet(found: IdSet, { top }: FacetOptions): Facet {
  const [first] = found.portions(Math.max(top, 1))
  return {
    path: ID_TAG.path,
    objects: found.size,
    types: found.size === 0 ? new Map() : new Map([['string', found.size]]),
    top: (first?.texts() ?? []).slice(0, top).map((id) => ({ json: JSON.stringify(id), count: 1 })),
    items: undefined,
    numbers: undefined,
  }
}

async function facetOf<V>(
  tx: ReadTx<V>,
  tag: ReadableTag<V>,
  { matches, options, note }: { matches: Matches<V>; options: FacetOptions; note: Counting['note'] },
): Promise<Facet> {
  const rows = await rowsOnMatches(tx, tag, matches)
  const { top, held = HELD } = options
  const groups = await grouped(tx, rows, top, held)
  const lists = groups.types.get('list-of-strings') ?? 0
  const { items, how } =
    lists === 0 ? { items: undefined, how: '' } : await topItems(tx, { tag, matches, rows, top, held })
  note(`count ${tag.path} by ${rows.how}${how}`)
  return {
    path: tag.path,
    objects: [...groups.types.values()].reduce((sum, count) => sum + count, 0),
    types: groups.types,
    top: await countedValues(tx, tag, groups.top),
    items,
    numbers: await spreadOf(groups, options, (edges) => countBetween(tx, rows, edges)),
  }
}

async function spreadOf(
  { smallest, largest, leastPositive }: Grouped,
  { bins, scale }: FacetOptions,
  countBetween: (edges: readonly Buffer[]) => Promise<number[]>,
): Promise<NumberSpread | undefined> {
  if (smallest === undefined || largest === undefined) return undefined
  const ends = { smallest, largest, leastPositive }
  return {
    smallest: numberJson(smallest),
    largest: numberJson(largest),
    bins: bins === 0 ? undefined : await binsOf(ends, { bins, scale }, countBetween),
  }
}
