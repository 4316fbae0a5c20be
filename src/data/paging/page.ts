/** Finding one page of what a query matches. */
import { clauseOf, leavesOf } from '../search/clauses.ts'
import type { Counted } from '../search/counting.ts'
import { observed, type Observe, type Search } from '../search/search.ts'
import type { ReadTx } from '../store/views.ts'
import { Matches, MORE, type PageRequest } from './matches.ts'
import type { Position } from './positions.ts'

export interface Page {
  readonly positions: readonly Position[]
  /** Whether there are objects behind these. */
  readonly more: boolean
  readonly counted: Counted | undefined
}

/**
 * A page of what a query matches. Throws as `search` does; but where the count is bounded, only if all matches have to be
 * found after all.
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

/**
 * A page without a count, as `findPage` finds it, if a walk along few rows does; undefined if it does not, which few rows
 * show, too. It proves no limit, and so refuses nothing.
 */
export async function findFewPage<V>(
  tx: ReadTx<V>,
  { query, tags }: Search<V>,
  request: Omit<PageRequest<V>, 'count'>,
  observe: Observe,
): Promise<Page | undefined> {
  const clause = clauseOf(query, tags)
  if (leavesOf(clause).length > FEW_CONDITIONS) return undefined
  return observed(tx, query, observe, async (note) => {
    const asked = { ...request, count: undefined }
    const matches = new Matches(tx, clause, { request: asked, note, few: true })
    const page = await pageOf(matches, asked).catch((error: unknown) => {
      if (error === MORE) return undefined
      throw error
    })
    return { result: page, matches: page?.positions.length }
  })
}

/** Each condition may take a statement that counts, and a lookup for each row. */
const FEW_CONDITIONS = 3

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
