/** Selects tags for charts and facets from a sample of the results of a query. */
import { isNumber, cellText, toNumber, type Cell } from '../../../common/values.ts'
import type { Found } from '../service/page.ts'

/** The values of a tag on the objects of a sample. */
export interface Sampled {
  readonly tag: string
  /** The number of objects with the tag. */
  readonly objects: number
  readonly kind: 'number' | 'choice' | 'list' | 'text' | 'other'
}

/** The number of facets in the default. */
const GUESSED = 6

/** The paths in a query, in their order. */
export function tagsOf(query: string): readonly string[] {
  const unquoted = query.replace(/"(?:\\.|[^"\\])*"?/gs, '""')
  const runs = unquoted.match(/[\p{L}\p{M}\p{N}_:./-]+/gu) ?? []
  const paths = runs.flatMap((run) => run.split('//').map((part) => part.replace(/^\/|\/$/g, '')))
  // User names are case-insensitive.
  return [
    ...new Set(
      paths
        .filter((path) => path.includes('/'))
        .map((path) => path.replace(/^[^/]+/, (user) => user.toLowerCase())),
    ),
  ]
}

/** The tags of these objects: first those in the query, then those in the same namespaces, then those on most objects. */
export function sampled(objects: readonly Found[], asked: readonly string[]): readonly Sampled[] {
  const cells = new Map<string, Cell[]>()
  for (const { values } of objects) {
    for (const [tag, cell] of Object.entries(values)) cells.set(tag, [...(cells.get(tag) ?? []), cell])
  }
  const beside = new Set(asked.map(namespaceOf))
  const rank = (tag: string): number => (asked.includes(tag) ? 2 : beside.has(namespaceOf(tag)) ? 1 : 0)
  return [...cells]
    .filter(([tag]) => tag !== 'service/about' && tag !== 'service/id')
    .map(([tag, found]) => ({ tag, objects: found.length, kind: kindOf(found) }))
    .sort((one, other) => rank(other.tag) - rank(one.tag) || other.objects - one.objects)
}

/** The default facets: choices and lists before numbers, without tags whose values all differ. */
export function worthCounting(tags: readonly Sampled[]): readonly string[] {
  const few = tags.filter(({ kind }) => kind === 'choice' || kind === 'list')
  const numbers = tags.filter(({ kind }) => kind === 'number')
  return [...few, ...numbers].slice(0, GUESSED).map(({ tag }) => tag)
}

const namespaceOf = (tag: string): string => tag.slice(0, tag.lastIndexOf('/'))

function kindOf(cells: readonly Cell[]): Sampled['kind'] {
  if (cells.some(isNumber)) return 'number'
  if (cells.some(Array.isArray)) return 'list'
  if (!cells.some((cell) => cell === null || typeof cell !== 'object')) return 'other'
  // A single object does not tell whether others have the same value. A long text is rarely a choice.
  const different = new Set(cells.map(cellText)).size
  const isFew = different <= Math.max(1, cells.length * 0.6)
  return isFew && cells.every((cell) => cellText(cell).length <= 100) ? 'choice' : 'text'
}

/** The tag whose name says that it contains names, if the sample has one. */
export const nameTag = (tags: readonly Sampled[]): string | undefined =>
  tags.find(({ tag }) => /\/(name|title|label)$/i.test(tag))?.tag

/** The number in a cell, for drawing. */
export const numberOf = (cell: Cell): number | undefined =>
  isNumber(cell) ? (typeof cell === 'bigint' ? Number(cell) : toNumber(cell)) : undefined
