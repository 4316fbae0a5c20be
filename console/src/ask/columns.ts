/** Which columns a table of objects has: their order, names and widths, and what to show when nobody has chosen any. */
import { isNumber, textOf, type Cell } from '../../../shared/values.ts'
import type { Found } from '../service/page.ts'

/** The tag of about values, which the first column of each table shows. */
export const ABOUT = 'service/about'

/** So many columns are guessed. */
const MOST_GUESSED = 6

/**
 * The tags that a table shows when no columns are chosen: those of the query, then others in their namespaces, then the
 * rest, each as often as the given objects have them.
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

/** What looks like a path of a tag in a query, outside its strings. */
const pathsIn = (query: string): string[] =>
  (query.replace(/"(?:\\.|[^"\\])*"?/gs, ' ').match(/[^\s()<>=!"]+/g) ?? []).filter((run) =>
    run.slice(1, -1).includes('/'),
  )

const namespaceOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** The shortest ends of paths that tell these tags apart. */
export function shortNames(tags: readonly string[]): string[] {
  return tags.map((tag) => {
    const names = tag.split('/')
    const ends = names.map((_, at) => names.slice(-1 - at).join('/'))
    return ends.find((end) => tags.every((other) => other === tag || !`/${other}`.endsWith(`/${end}`))) ?? tag
  })
}

/** The columns with one of them so many places further right, or left. */
export function moved(columns: readonly string[], tag: string, by: number): string[] {
  const rest = columns.filter((one) => one !== tag)
  const at = Math.min(Math.max(columns.indexOf(tag) + by, 0), rest.length)
  return rest.toSpliced(at, 0, tag)
}

/** What to sort by after another click on a heading: not at all, from the smallest up, from the largest down. */
export function nextSort(tag: string, sort: string | undefined): string | undefined {
  if (sort === tag) return `-${tag}`
  return sort === `-${tag}` ? undefined : tag
}

/** How a column looks. */
export interface Look {
  /** In rem. */
  readonly width: number
  /** Whether its values stand at the right. */
  readonly isNumeric: boolean
}

/** In characters. */
const NARROWEST = 6
const WIDEST = 30
/** What a character takes in rem, and the space around it. */
const CHARACTER = 0.58
const AROUND = 1.25

/** How a column with this heading should look for values like these. */
export function lookOf(name: string, cells: readonly Cell[]): Look {
  const lengths = cells.map((cell) => textOf(cell).length).sort((one, other) => one - other)
  // A few long values do not make a wide column.
  const usual = lengths[Math.floor(lengths.length * 0.95)] ?? 0
  const length = Math.min(Math.max(usual, name.length + 2, NARROWEST), WIDEST)
  const numbers = cells.filter((cell) => isNumber(cell)).length
  const others = cells.filter((cell) => cell !== undefined).length - numbers
  return { width: Math.round((length * CHARACTER + AROUND) * 8) / 8, isNumeric: numbers > others }
}
