/** Finds one page of the objects that a query matches. */
import { clauseOf } from '../search/clauses.ts'
import type { Counted } from '../search/counting.ts'
import { observed, type Observe, type Search } from '../search/search.ts'
import type { ReadTx } from '../store/views.ts'
import { Matches, type PageRequest } from './matches.ts'
import type { Position } from './positions.ts'

export interface Page {
  readonly positions: readonly Position[]
  /** Whether further objects follow. */
  readonly more: boolean
  readonly counted: Counted | undefined
}

/**
 * A page of the objects that a query matches. Throws as `search` does; with a bounded count, only if it has to find all
 * matches after all. In a short view, throws `SPENT` unless few rows determine the page.
 */
export async function findPage<V>(
  tx: ReadTx<V>,
  { query, tags }: Search<V>,
  request: PageRequest<V>,
  observe: Observe,
): Promise<Page> {
  const clause = clauseOf(query, tags)
  return observed(tx, query, observe, async (note) => {
    const page = await pageOf(new Matches(tx, clause, { request, note }), request)
    return { result: page, matches: page.counted?.count ?? page.positions.length }
  })
}

async function pageOf<V>(matches: Matches<V>, { limit }: PageRequest<V>): Promise<Page> {
  try {
    const counted = await matches.count()
    const found = await matches.positions(limit + 1)
    const positions = found.slice(0, limit)
    return { positions, more: found.length > positions.length, counted }
  } finally {
    matches.release()
  }
}
