/** Counts and ranges of the values of tags, on the objects that a query matches. */
import { facetsOf } from '../data/operations/facets.ts'
import { searching } from '../data/search/search.ts'
import { facetList } from '../http/answer/search-representations.ts'
import { parseQuery } from '../query/parse.ts'
import type { Handler } from '../http/handler.ts'

/** GET /search/facets */
export const getFacets: Handler<'getFacets'> = async ({
  args,
  queryLimits,
  caller,
  store,
  signal,
  observe,
  reply,
}) => {
  const query = parseQuery(args.query, queryLimits)
  const { top, bins, scale, tag } = args
  const paths = [...new Set(tag)]
  const asking = { store, caller, signal, observe }
  const facets = await searching(asking, { query, also: paths }, (tx, permitted, observed) =>
    facetsOf(tx, permitted, { paths, top, bins, scale, observe: observed }),
  )
  return reply({ status: 200, json: facetList(facets) })
}
