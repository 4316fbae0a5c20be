/** Shows what a change of many objects will do, and asks for confirmation. */
import type { Connection } from '../connection/connect.ts'
import { faultsOf } from '../../common/connection/access.ts'
import { withQuery } from '../connection/query-failure.ts'
import { fetchPage, type Found, type Page, type PageArguments } from '../connection/search.ts'
import { cellOf, toNumber, visible } from '../../common/values.ts'
import { Table } from '../terminal/table.ts'
import { confirm, tell, terminalWidth } from '../terminal/terminal.ts'
import { among, EXAMPLES, objects, shownOf, type Change } from '../../common/changing/change.ts'

/** The number of tags in one request for counts. */
const FACETS = 16

/** The state before a change. */
export interface Before {
  /** The number of objects that the query matches. */
  readonly count: number
  /** The number of these objects that have each tag; undefined for a tag that the user may not read. */
  readonly present: readonly (number | undefined)[]
}

/**
 * Counts and shows the objects of a change: the number of matches, the number that already have each tag, and ten
 * examples, before → after. With `onlyPresent`, the tags must exist, and each example has at least one of them.
 */
export async function preview(connection: Connection, change: Change, onlyPresent = false): Promise<Before> {
  const { query, tags } = change
  const faults = await faultsOf(connection.client, tags)
  const isLeftOut = (fault: string | undefined): boolean =>
    fault !== undefined && !(onlyPresent && fault === 'TNonexistentTag')
  const readable = tags.filter((_, index) => !isLeftOut(faults[index]))
  const [{ count = 0, results }, facets] = await withQuery(query, connection, async () => [
    await search(connection, { query, tag: readable, limit: EXAMPLES, count: 'exact' }),
    await countTags(connection, query, readable),
  ])
  const present = tags.map((tag, index) =>
    faults[index] === 'TNonexistentTag'
      ? 0
      : faults[index] === undefined
        ? (facets.get(tag) ?? 0)
        : undefined,
  )
  const before = { count: toNumber(count), present }
  tell(`${objects(before.count)} ${before.count === 1 ? 'matches' : 'match'}${having(tags, present)}`)
  const shown = onlyPresent ? await withTags(connection, query, readable) : results
  if (shown.length > 0) showTable(shown, change, present)
  return before
}

/** Asks for confirmation of a change, except with `yes`. */
export async function meant(question: string, yes: true | undefined): Promise<boolean> {
  if (yes || (await confirm(question, false))) return true
  tell('Nothing was changed.')
  return false
}

function having(tags: readonly string[], present: readonly (number | undefined)[]): string {
  return tags
    .map((tag, index) => {
      const number = present[index]
      const many = number === undefined ? 'nobody tells you how many' : number.toLocaleString('en')
      return `; ${number === 0 ? 'none' : many} of them ${number === 1 || number === 0 ? 'has' : 'have'} ${visible(tag)}`
    })
    .join('')
}

/** Finds the first matching objects that have one of the tags. */
async function withTags(
  connection: Connection,
  query: string,
  tags: readonly string[],
): Promise<readonly Found[]> {
  if (tags.length === 0) return []
  const one = tags.map((tag) => `has ${tag}`).join(' or ')
  const { results } = await search(connection, {
    query: among(query, one),
    tag: tags,
    limit: EXAMPLES,
  })
  return results
}

/** Fetches a page of results, sorted by the about value. */
async function search(connection: Connection, page: Omit<PageArguments, 'sort'>): Promise<Page> {
  return (await fetchPage(connection, { ...page, sort: 'service/about' })).page
}

async function countTags(
  { client }: Connection,
  query: string,
  tags: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (let from = 0; from < tags.length; from += FACETS) {
    const tag = tags.slice(from, from + FACETS)
    const { data } = await client.GET('/search/facets', { params: { query: { query, tag, top: 0 } } })
    for (const [path, facet] of Object.entries(data.facets)) counts.set(path, facet.objects)
  }
  return counts
}

function showTable(
  found: readonly Found[],
  { tags, after }: Change,
  present: readonly (number | undefined)[],
): void {
  const rows = found.map(({ id, about, values }) => [
    about ?? id,
    ...tags.map((tag, index) => {
      const old = present[index] === undefined ? '?' : shownOf(cellOf(values[tag]))
      return `${old} → ${shownOf(after[index])}`
    }),
  ])
  const table = new Table(['object', ...tags], rows, terminalWidth())
  tell(table.heading())
  for (const row of rows) tell(table.row(row))
}
