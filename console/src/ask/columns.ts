/** The columns of a table of objects: order, names, widths, and a default for a user who has not chosen any. */
import { isNumber, cellText, type Cell } from '../../../common/values.ts'
import type { Found } from '../service/page.ts'

/** The tag of about values, which is the first column of each table. */
export const ABOUT = 'service/about'

/** The most columns in the default. */
const MOST_GUESSED = 6

/**
 * The default columns of a table: the tags in the query, then others in their namespaces, then the rest; within each
 * group the most frequent tags on the given objects come first.
 */
export function guessColumns(query: string, found: readonly Found[]): string[] {
  const counts = new Map<string, number>()
  for (const { values } of found) {
    for (const tag of Object.keys(values)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  counts.delete(ABOUT)
  const asked = pathsIn(query)
  const places = new Set(asked.map(namespaceOf))
  const rank = (tag: string): number => (asked.includes(tag) ? 0 : places.has(namespaceOf(tag)) ? 1 : 2)
  const tags = [...counts].toSorted(
    ([one, often], [other, oftener]) => rank(one) - rank(other) || oftener - often,
  )
  return tags.map(([tag]) => tag).slice(0, MOST_GUESSED)
}

/** Finds paths of tags in a query, outside its strings. */
const pathsIn = (query: string): string[] =>
  (query.replace(/"(?:\\.|[^"\\])*"?/gs, ' ').match(/[^\s()<>=!"]+/g) ?? []).filter((run) =>
    run.slice(1, -1).includes('/'),
  )

const namespaceOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** The shortest ends of paths that distinguish these tags. */
export function shortNames(tags: readonly string[]): string[] {
  return tags.map((tag) => {
    const names = tag.split('/')
    const ends = names.map((_, at) => names.slice(-1 - at).join('/'))
    return ends.find((end) => tags.every((other) => other === tag || !`/${other}`.endsWith(`/${end}`))) ?? tag
  })
}

/** The columns after a move of one of them by a number of places, to the right or, if negative, to the left. */
export function moved(columns: readonly string[], tag: string, by: number): string[] {
  const rest = columns.filter((one) => one !== tag)
  const at = Math.min(Math.max(columns.indexOf(tag) + by, 0), rest.length)
  return rest.toSpliced(at, 0, tag)
}

/** The sort order after another click on a heading: none, then ascending, then descending. */
export function nextSort(tag: string, sort: string | undefined): string | undefined {
  if (sort === tag) return `-${tag}`
  return sort === `-${tag}` ? undefined : tag
}

/** The appearance of a column. */
export interface Look {
  /** In rem. */
  readonly width: number
  /** Whether the column aligns its values on the right. */
  readonly isNumeric: boolean
}

/** In characters. */
const NARROWEST = 6
const WIDEST = 30
/** The width of a character in rem, and the space around it. */
const CHARACTER = 0.58
const AROUND = 1.25

/** The appearance of a column with this heading and values like these. */
export function lookOf(name: string, cells: readonly Cell[]): Look {
  const lengths = cells.map((cell) => cellText(cell).length).sort((one, other) => one - other)
  // A few long values should not make a column wide.
  const usual = lengths[Math.floor(lengths.length * 0.95)] ?? 0
  const length = Math.min(Math.max(usual, name.length + 2, NARROWEST), WIDEST)
  const numbers = cells.filter((cell) => isNumber(cell)).length
  const others = cells.filter((cell) => cell !== undefined).length - numbers
  return { width: Math.round((length * CHARACTER + AROUND) * 8) / 8, isNumeric: numbers > others }
}
