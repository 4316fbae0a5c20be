/** Keeps the rows of the latest queries, so that a user who returns to one finds them unchanged. */
import { keptSample, sampleOf } from '../service/sample.ts'
import { fetchPage } from '../service/search.ts'
import { client } from '../service/service.ts'
import { Rows } from './rows.ts'
import { guessColumns } from './columns.ts'

/** The content of a table. */
export interface Asked {
  readonly query: string
  readonly columns: readonly string[]
  readonly sort: string | undefined
}

/** The number of kept lists; a long one takes some hundred megabytes. */
const KEPT = 3

/** The lists by content, the latest last. They belong to the current user. */
let lists = new Map<string, Rows>()
let guesses = new Map<string, readonly string[]>()
let owner = client()

/** Deletes lists of another user. */
function forOwner(): void {
  if (owner === client()) return
  owner = client()
  lists = new Map()
  guesses = new Map()
}

/** The rows for a query: the kept list, which may be outdated, or a new one. */
export function rowsOf({ query, columns, sort }: Asked): Rows {
  forOwner()
  const key = JSON.stringify([query, columns, sort])
  const rows =
    lists.get(key) ??
    new Rows(
      (asked, signal) => fetchPage({ query, columns, sort, ...asked }, signal),
      sort === undefined ? keptSample(query) : undefined,
    )
  lists.delete(key)
  lists.set(key, rows)
  for (const old of [...lists.keys()].slice(0, -KEPT)) lists.delete(old)
  return rows
}

/** The default columns for a query without chosen ones. Throws a `ServiceError`. */
export async function guessFor(query: string, signal: AbortSignal): Promise<readonly string[]> {
  forOwner()
  const known = guesses.get(query)
  if (known !== undefined) return known
  const guess = guessColumns(query, await sampleOf(query, signal))
  guesses.set(query, guess)
  return guess
}
