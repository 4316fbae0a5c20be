/** Calls the operations under `/search`, with exact numbers. */
import { parseExact, type ExactNumber } from '../../../packages/client/json.ts'
import { cellOf, toNumber, type Cell } from '../../../common/values.ts'
import type { Counted, Facet } from './facet.ts'
import type { Page } from './page.ts'
import { client } from './service.ts'

/** The arguments of a search. */
export interface Search {
  readonly query: string
  /** The paths of the tags to show. */
  readonly columns: readonly string[]
  /** A tag, with `-` before it for the largest values first. */
  readonly sort?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number
  /** `exact`, or the limit of the count: `upto:1000`. */
  readonly count?: string | undefined
}

/** A page of `GET /search`. Throws a `ServiceError`. */
export async function fetchPage(search: Search, signal?: AbortSignal): Promise<Page> {
  const { query, columns, sort, cursor, limit = 100, count } = search
  const { data } = await client().GET('/search', {
    params: { query: without({ query, tag: [...columns], sort, cursor, limit, count }) },
    parseAs: 'text',
    ...(signal && { signal }),
  })
  const page = parseExact(data) as RawPage
  return {
    count: page.count && toNumber(page.count),
    exact: page.exact ?? false,
    next: page.next,
    results: page.results.map(({ id, about, values }) => ({ id, about, values: cellsOf(values) })),
  }
}

interface RawPage {
  readonly count?: ExactNumber
  readonly exact?: boolean
  readonly results: readonly { id: string; about: string | null; values: Record<string, object> }[]
  readonly next?: string
}

const cellsOf = (entries: Readonly<Record<string, object>>): Record<string, Cell> =>
  Object.fromEntries(Object.entries(entries).map(([tag, entry]) => [tag, cellOf(entry)]))

/** The arguments of a count. */
export interface Counting {
  readonly query: string
  /** At most 16. */
  readonly tags: readonly string[]
  readonly top?: number
  readonly bins?: number
  readonly scale?: 'linear' | 'logarithmic'
}

/** The values of tags on the objects that a query matches, by tag. Throws a `ServiceError`. */
export async function fetchFacets(
  { query, tags, top, bins, scale }: Counting,
  signal?: AbortSignal,
): Promise<{ readonly count: number; readonly facets: ReadonlyMap<string, Facet> }> {
  const { data } = await client().GET('/search/facets', {
    params: { query: without({ query, tag: [...tags], top, bins, scale }) },
    parseAs: 'text',
    ...(signal && { signal }),
  })
  const { count, facets } = parseExact(data) as {
    count: ExactNumber
    facets: Readonly<Record<string, RawFacet>>
  }
  const entries = Object.entries(facets).map(([tag, facet]) => [tag, facetOf(facet)] as const)
  return { count: toNumber(count), facets: new Map(entries) }
}

interface RawFacet {
  readonly objects: ExactNumber
  readonly types: Readonly<Record<string, ExactNumber>>
  readonly top: readonly RawCounted[]
  readonly items?: readonly RawCounted[]
  readonly numbers?: {
    readonly smallest: ExactNumber
    readonly largest: ExactNumber
    readonly bins?: readonly { from: ExactNumber; to: ExactNumber; count: ExactNumber }[]
  }
}

type RawCounted = ({ readonly value: Cell } | { readonly beginning: string }) & {
  readonly count: ExactNumber
}

const facetOf = ({ objects, types, top, items = [], numbers }: RawFacet): Facet => ({
  objects: toNumber(objects),
  types: Object.fromEntries(Object.entries(types).map(([type, count]) => [type, toNumber(count)])),
  top: top.map(countedOf),
  items: items.map(countedOf),
  numbers: numbers && {
    ...numbers,
    bins: (numbers.bins ?? []).map((bin) => ({ ...bin, count: toNumber(bin.count) })),
  },
})

const countedOf = (one: RawCounted): Counted => ({
  value: 'value' in one ? one.value : one.beginning,
  count: toNumber(one.count),
  cut: !('value' in one),
})

/** Removes the members that are undefined. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

const without = <T extends object>(args: T): Given<T> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)) as Given<T>
