/** Which tags are worth a picture, by a few of the objects that a query finds. */
import { isNumber, textOf, toNumber, type Cell } from '../../../shared/values.ts'
import type { Found } from '../service/page.ts'

/** What a tag is like on the objects of a sample. */
export interface Sampled {
  readonly tag: string
  /** On how many of them it is. */
  readonly objects: number
  readonly kind: 'number' | 'choice' | 'list' | 'text' | 'other'
}

/** So many facets are shown if nobody has chosen any. */
const GUESSED = 6

/** The paths in a query, in their order. */
export function tagsOf(query: string): readonly string[] {
  const unquoted = query.replace(/"(?:\\.|[^"\\])*"?/gs, '""')
  const runs = unquoted.match(/[\p{L}\p{M}\p{N}_:./-]+/gu) ?? []
  const paths = runs.flatMap((run) => run.split('//').map((part) => part.replace(/^\/|\/$/g, '')))
  // User names have no letter case.
  return [
    ...new Set(
      paths
        .filter((path) => path.includes('/'))
        .map((path) => path.replace(/^[^/]+/, (user) => user.toLowerCase())),
    ),
  ]
}

/** What the tags of these objects are like: those of the query first, then those beside them, then those of most objects. */
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

/** The tags to show facets of: choices and lists before numbers, nothing that is different on each object. */
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
  // One object says nothing about whether others have the same; a long text is hardly a choice.
  const different = new Set(cells.map(textOf)).size
  const isFew = different <= Math.max(1, cells.length * 0.6)
  return isFew && cells.every((cell) => textOf(cell).length <= 100) ? 'choice' : 'text'
}

/** What an object is called by: the tag of a sample that is named so, if there is one. */
export const nameTag = (tags: readonly Sampled[]): string | undefined =>
  tags.find(({ tag }) => /\/(name|title|label)$/i.test(tag))?.tag

/** Numbers of a page, for drawing. */
export const numberOf = (cell: Cell): number | undefined =>
  isNumber(cell) ? (typeof cell === 'bigint' ? Number(cell) : toNumber(cell)) : undefined
