/** The rows of the latest queries, so that whoever comes back to one finds them where they were. */
import { keptSample, sampleOf } from '../service/sample.ts'
import { fetchPage } from '../service/search.ts'
import { client } from '../service/service.ts'
import { Rows } from './rows.ts'
import { guessColumns } from './columns.ts'

/** What a table shows. */
export interface Asked {
  readonly query: string
  readonly columns: readonly string[]
  readonly sort: string | undefined
}

/** So many lists are kept; a long one takes some hundred megabytes. */
const KEPT = 3

/** By what they show, the latest last. They belong to who asked for them. */
let lists = new Map<string, Rows>()
let guesses = new Map<string, readonly string[]>()
let owner = client()

/** Forgets what somebody else has asked for. */
function forOwner(): void {
  if (owner === client()) return
  owner = client()
  lists = new Map()
  guesses = new Map()
}

/** The rows that a query matches: those of before, which may be outdated, or a new list. */
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

/** The columns for a query for which nobody has chosen any. Throws a `ServiceError`. */
export async function guessFor(query: string, signal: AbortSignal): Promise<readonly string[]> {
  forOwner()
  const known = guesses.get(query)
  if (known !== undefined) return known
  const guess = guessColumns(query, await sampleOf(query, signal))
  guesses.set(query, guess)
  return guess
}
