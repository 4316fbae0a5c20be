/** Finding objects page by page, in the order of a tag's values. */
import { selectedTags, selectionOf } from '../data/operations/selected-tags.ts'
import { cursorOf, readCursor } from '../data/paging/cursor.ts'
import type { Counting } from '../data/paging/matches.ts'
import { findFewPage, findPage, type Page } from '../data/paging/page.ts'
import { tagAt } from '../data/permissions/permissions.ts'
import { isShort, searching, type Search } from '../data/search/search.ts'
import type { ReadTx } from '../data/store/views.ts'
import { readObjects } from '../data/values/object-reading.ts'
import { searchResults } from '../http/representations.ts'
import { ID_PATH } from '../query/ast.ts'
import { parseQuery } from '../query/parse.ts'
import type { Args, Handler } from '../http/handler.ts'

/** How many values a short view may read for a page. */
const LITTLE = 1000

/** GET /search */
export const searchObjects: Handler<'searchObjects'> = async ({ args, absoluteUrl, reply, ...call }) => {
  const query = parseQuery(args.query, call.queryLimits)
  const { sort, limit, tag: tags = [], count } = args
  const searched = { query: args.query, sort, tags }
  const after = args.cursor === undefined ? undefined : readCursor(args.cursor, searched)
  const selected = selectedTags(tags)
  const descending = sort.startsWith('-')
  const sortPath = descending ? sort.slice(1) : sort
  const counting = countingOf(count)
  const fitsShortView =
    counting === undefined && !selected.every && limit * (selected.named.length + 1) <= LITTLE
  let next: string | undefined
  const json = await searchResults((represent) => {
    const requestOn = <V>({ tags: permitted }: Search<V>) => {
      const order = { tag: orderedBy(tagAt(permitted, sortPath)), descending }
      return { order, after, limit, count: counting }
    }
    const show = <V>(tx: ReadTx<V>, { tags: permitted }: Search<V>, page: Page) => {
      const { positions, more, counted } = page
      const last = more ? positions.at(-1) : undefined
      next = last && cursorOf(last, searched)
      const selection = selectionOf(tx, 'read', selected, permitted)
      const ids = positions.map(({ id }) => id)
      return represent({ counted, objects: readObjects(tx, ids, selection), next })
    }
    const whole = async <V>(tx: ReadTx<V>, permitted: Search<V>) =>
      show(tx, permitted, await findPage(tx, permitted, requestOn(permitted), call.observe))
    const few = async <V>(tx: ReadTx<V>, permitted: Search<V>) => {
      if (isShort(permitted)) return whole(tx, permitted)
      const page = await findFewPage(tx, permitted, requestOn(permitted), call.observe)
      return page && show(tx, permitted, page)
    }
    return searching(
      call,
      { query, also: [...selected.named, sortPath] },
      whole,
      fitsShortView ? few : undefined,
    )
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
