/** Finding objects page by page, in the order of a tag's values. */
import { selectedTags, selectionOf } from '../data/operations/selected-tags.ts'
import { cursorOf, readCursor } from '../data/paging/cursor.ts'
import type { Counting } from '../data/paging/matches.ts'
import { findPage } from '../data/paging/page.ts'
import { tagAt } from '../data/permissions/permissions.ts'
import { searching } from '../data/search/search.ts'
import { readObjects } from '../data/values/object-reading.ts'
import { searchResults } from '../http/answer/representations.ts'
import { ID_PATH } from '../query/ast.ts'
import { parseQuery } from '../query/parse.ts'
import type { Args, Handler } from '../http/handler.ts'

/** GET /search */
export const searchObjects: Handler<'searchObjects'> = async ({ args, absoluteUrl, reply, ...call }) => {
  const query = parseQuery(args.query, call.queryLimits)
  const { sort, limit, tag: tags = [], count } = args
  const searched = { query: args.query, sort, tags }
  const after = args.cursor === undefined ? undefined : readCursor(args.cursor, searched)
  const selected = selectedTags(tags)
  const descending = sort.startsWith('-')
  const sortPath = descending ? sort.slice(1) : sort
  let next: string | undefined
  const json = await searchResults((represent) => {
    const asked = { query, also: [...selected.named, sortPath] }
    return searching(call, asked, async (tx, permitted, observe) => {
      const order = { tag: orderedBy(tagAt(permitted.tags, sortPath)), descending }
      const request = { order, after, limit, count: countingOf(count) }
      const { positions, more, counted } = await findPage(tx, permitted, request, observe)
      const last = more ? positions.at(-1) : undefined
      next = last && cursorOf(last, searched)
      const ids = positions.map(({ id }) => id)
      const selection = selectionOf(tx, 'read', selected, permitted.tags)
      return represent({ counted, objects: readObjects(tx, ids, selection), next })
    })
  })
  const following = next && `${absoluteUrl('/search')}?${argumentsOf({ ...args, cursor: next })}`
  return reply({ status: 200, json, next: following })
}

/** The tag to sort by, unless that is the id. */
const orderedBy = <T extends { readonly path: string }>(tag: T): T | undefined =>
  tag.path === ID_PATH ? undefined : tag

/** How far to count; the contract's pattern admits nothing else. */
function countingOf(count: string): Counting | undefined {
  if (count === 'none') return undefined
  return count === 'exact' ? 'exact' : { upTo: Number(count.slice('upto:'.length)) }
}

/** The query string of a request with these arguments. */
const argumentsOf = (args: Args<'searchObjects'>): string =>
  new URLSearchParams(
    Object.entries(args).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  ).toString()
