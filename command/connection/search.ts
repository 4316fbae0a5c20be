/** Fetches the objects that a query matches, page by page. */
import { parseExact, type ExactNumber } from '../../packages/client/json.ts'
import { cellOf, type Cell, type OpaqueCell } from '../../common/values.ts'
import type { Connection } from './connect.ts'

/** A value in an answer. Numbers keep all their digits. */
export type Entry = OpaqueCell | { readonly value: null | boolean | string | ExactNumber | readonly string[] }

/** An object on a page of results. */
export interface Found {
  readonly id: string
  readonly about: string | null
  readonly values: Readonly<Record<string, Entry>>
}

/** The arguments of a search. */
export interface Search {
  readonly query: string
  /** The paths of tags; `*` stands for all tags that the user may read. */
  readonly tags: readonly string[]
  readonly sort?: string | undefined
  /** The most objects to fetch; all if undefined. */
  readonly limit?: number | undefined
  /** The parameter `count` of `GET /search`. */
  readonly count?: string
}

/** An answer of `GET /search`. */
export interface Page {
  readonly count?: ExactNumber
  readonly results: readonly Found[]
  readonly next?: string
}

/** The largest page that the contract allows. */
const LARGEST = 1000
/** The size of the first page. Values may be long, and the function does not know their length yet. */
const FIRST = 100
/** The number of characters that a page should have: pages with long values have few objects. */
const SIZE = 1_000_000

/** Yields the objects that a search finds, in its order. It keeps only one page in memory. */
export async function* found(
  connection: Connection,
  { query, tags, sort, limit = Infinity, count }: Search,
): AsyncGenerator<Found> {
  let left = limit
  let size = FIRST
  let cursor: string | undefined
  do {
    const { page, length } = await fetchPage(connection, {
      query,
      tag: tags,
      limit: Math.min(left, size),
      ...(sort === undefined ? {} : { sort }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(count === undefined ? {} : { count }),
    })
    yield* page.results
    left -= page.results.length
    const each = length / Math.max(1, page.results.length)
    size = Math.max(1, Math.min(LARGEST, size * 10, Math.floor(SIZE / each)))
    cursor = page.next
  } while (cursor !== undefined && left > 0)
}

/** The number of objects that a query matches. */
export async function countOf(connection: Connection, query: string): Promise<number> {
  const { page } = await fetchPage(connection, { query, tag: [], limit: 1, count: 'exact' })
  return Number(page.count?.rawJSON)
}

/** An object as a row: its id, its about value, and its values of these tags. */
export const rowOf = ({ id, about, values }: Found, tags: readonly string[]): readonly Cell[] => [
  id,
  about ?? undefined,
  ...tags.map((tag) => cellOf(values[tag])),
]

/** The parameters of `GET /search`. */
export interface PageArguments {
  readonly query: string
  readonly tag: readonly string[]
  readonly limit: number
  readonly sort?: string
  readonly cursor?: string
  readonly count?: string
}

/** Fetches a page of `GET /search`, and counts its characters. */
export async function fetchPage(
  { client }: Connection,
  { tag, ...rest }: PageArguments,
): Promise<{ readonly page: Page; readonly length: number }> {
  const { data } = await client.GET('/search', {
    params: { query: { ...rest, tag: [...tag] } },
    parseAs: 'text',
  })
  return { page: parseExact(data) as Page, length: data.length }
}
