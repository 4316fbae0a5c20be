/** Fetches the objects of a scatter plot, page by page. */
import { numberOf } from './guess.ts'
import { both } from '../query/compose.ts'
import type { Found } from '../service/page.ts'
import { fetchPage } from '../service/search.ts'
import type { Dot } from './dots.ts'

/** The most objects in a plot. */
const MOST_DOTS = 10_000

/** The loaded objects of a plot. */
export interface Dots {
  readonly dots: readonly Dot[]
  /** The number of objects with both tags. */
  readonly count: number
  readonly isComplete: boolean
}

interface Wanted {
  readonly query: string
  readonly x: string
  readonly y: string
  /** The tag with a name for each object. */
  readonly name: string | undefined
}

/** Yields the objects with both numbers, with one more page each time. Throws a `ServiceError`. */
export async function* fetchDots({ query, x, y, name }: Wanted, signal: AbortSignal): AsyncGenerator<Dots> {
  const asked = both(query, `has ${x} and has ${y}`)
  const columns = [...new Set([x, y, ...(name === undefined ? [] : [name])])]
  let dots: readonly Dot[] = []
  let count = 0
  let read = 0
  let cursor: string | undefined
  do {
    const page = await fetchPage(
      { query: asked, columns, cursor, limit: 1000, ...(read === 0 && { count: 'exact' }) },
      signal,
    )
    count = page.count ?? count
    read += page.results.length
    dots = [...dots, ...page.results.flatMap((found) => dotOf(found, x, y))]
    cursor = read < MOST_DOTS ? page.next : undefined
    yield { dots, count, isComplete: cursor === undefined }
  } while (cursor !== undefined)
}

function dotOf(found: Found, x: string, y: string): readonly Dot[] {
  const [across, up] = [numberOf(found.values[x]), numberOf(found.values[y])]
  return across === undefined || up === undefined ? [] : [{ found, x: across, y: up }]
}
