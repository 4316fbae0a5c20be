/** Objects that a query matches, fetched page by page. */
import { parseExact, type ExactNumber } from '../../packages/client/json.ts'
import { cellOf, type Cell, type OpaqueCell } from '../../shared/values.ts'
import type { Connection } from './connect.ts'

/** A value as an answer shows it, numbers to the digit. */
export type Entry = OpaqueCell | { readonly value: null | boolean | string | ExactNumber | readonly string[] }

/** What a page holds of an object. */
export interface Found {
  readonly id: string
  readonly about: string | null
  readonly values: Readonly<Record<string, Entry>>
}

/** What to ask for. */
export interface Search {
  readonly query: string
  /** The paths of tags; `*` stands for all that may be read. */
  readonly tags: readonly string[]
  readonly sort?: string | undefined
  /** The most objects to fetch; all without it. */
  readonly limit?: number | undefined
  /** How to count them, as `GET /search` is told. */
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
/** A page of objects of which nothing is known yet: their values may be long. */
const FIRST = 100
/** Characters that a page should have: long values make it one of few objects. */
const SIZE = 1_000_000

/** The objects that a search finds, in its order. No more of them than one page are in memory. */
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

/** How many objects a query matches. */
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

/** What `GET /search` takes. */
export interface PageArguments {
  readonly query: string
  readonly tag: readonly string[]
  readonly limit: number
  readonly sort?: string
  readonly cursor?: string
  readonly count?: string
}

/** A page of `GET /search`, and how many characters it took. */
export async function fetchPage(
  { client }: Connection,
  { tag, ...rest }: PageArguments,
): Promise<{ readonly page: Page; readonly length: number }> {
  const { data = '{}' } = await client.GET('/search', {
    params: { query: { ...rest, tag: [...tag] } },
    parseAs: 'text',
  })
  return { page: parseExact(data) as Page, length: data.length }
}
