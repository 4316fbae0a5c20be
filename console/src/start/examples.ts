/** Makes example queries from existing tags and values. */
import type { ExactNumber } from '../../../packages/client/json.ts'
import { isNumber, toNumber, type Cell } from '../../../common/values.ts'
import { equals, quoted } from '../query/compose.ts'

/** A query and the view of its results. */
export interface Example {
  /** A description of its results. */
  readonly says: string
  readonly query: string
  readonly columns: readonly string[]
  /** A tag, with `-` before it for the largest values first. */
  readonly sort?: string
  /** A view other than a table. */
  readonly show?: 'map' | 'chart'
}

/** A tag, and the approximate number of its values. */
export interface KnownTag {
  readonly path: string
  readonly count: number
}

/** An object with values by tag. */
export interface Sample {
  readonly values: Readonly<Record<string, Cell>>
}

/** The number of examples. */
const EXAMPLES = 4

/** The number of columns that fit beside the about value. */
const COLUMNS = 4

/** Queries with results in every store. */
const ANYWHERE: readonly Example[] = [
  {
    says: 'The users, with their names',
    query: 'has service/users/username',
    columns: ['service/users/username', 'service/users/name', 'service/users/role'],
    sort: 'service/users/username',
  },
  {
    says: 'The superusers',
    query: 'service/users/role = "superuser"',
    columns: ['service/users/username', 'service/users/name'],
  },
  {
    says: 'The tags, with what they are for',
    query: 'has service/tags/path',
    columns: ['service/tags/path', 'service/tags/description'],
    sort: 'service/tags/path',
  },
  {
    says: 'The tags with the word “user” in their description',
    query: 'service/tags/description matches "user"',
    columns: ['service/tags/path', 'service/tags/description'],
  },
]

/**
 * Four queries with results: by the most used of these tags, by a number, by a word, and by a list or several tags at
 * once. `sample` contains objects with the most used tag and their values.
 */
export function examplesOf(tags: readonly KnownTag[], sample: readonly Sample[]): readonly Example[] {
  const values = valuesOf(tags, sample)
  const most = mostTelling(tags, values)
  if (most === undefined) return ANYWHERE
  const columns = distinct([most, ...tags.map(({ path }) => path)]).slice(0, COLUMNS)
  const own = [
    { says: `All objects with the tag ${most}`, query: `has ${most}`, columns },
    first(values, (one) => byNumber(one, most)),
    first(values, (one) => byWord(one, most)),
    first(values, (one) => byItem(one, most)) ?? combined(values, most),
  ].filter((one) => one !== undefined)
  return [...own, ...ANYWHERE].slice(0, EXAMPLES)
}

/** Of the most used tags, the one whose texts identify objects best. */
function mostTelling(tags: readonly KnownTag[], values: readonly Sampled[]): string | undefined {
  const [most] = tags
  const often = new Set(tags.filter(({ count }) => count * 2 >= (most?.count ?? 0)).map(({ path }) => path))
  const telling = values.filter(({ path, cells }) => often.has(path) && new Set(texts(cells)).size > 1)
  return (
    (telling.find(({ path }) => /name|title|label/i.test(baseName(path))) ?? telling[0])?.path ?? most?.path
  )
}

const texts = (cells: readonly Cell[]): string[] => cells.filter((cell) => typeof cell === 'string')

/** A tag with its values in the sample. */
interface Sampled {
  readonly path: string
  readonly cells: readonly Cell[]
}

const valuesOf = (tags: readonly KnownTag[], sample: readonly Sample[]): readonly Sampled[] =>
  tags.map(({ path }) => ({
    path,
    cells: sample.map(({ values }) => values[path]).filter((cell) => cell !== undefined),
  }))

function first(values: readonly Sampled[], make: (one: Sampled) => Example | undefined): Example | undefined {
  for (const one of values) {
    const example = make(one)
    if (example !== undefined) return example
  }
  return undefined
}

/**
 * The condition for numbers from a round one on that the largest of the sample reaches. Latitudes and similar tags make
 * poor examples.
 */
function byNumber({ path, cells }: Sampled, most: string): Example | undefined {
  const numbers = cells.filter(isNumber).map((cell) => toNumber(cell as number | ExactNumber))
  const largest = Math.max(...numbers)
  if (numbers.length === 0 || new Set(numbers).size < 2 || largest < 2 || isPlace(path)) return undefined
  const bound = roundDown(largest)
  const [columns, sort] = [distinct([most, path]), `-${path}`]
  return {
    says: `Objects with ${baseName(path)} from ${bound.toLocaleString('en')} on, the largest first`,
    query: `${path} >= ${bound}`,
    columns,
    sort,
  }
}

const isPlace = (path: string): boolean => /^(lat|lon|lng|latitude|longitude)$/i.test(baseName(path))

/** With one significant digit. */
function roundDown(number: number): number {
  const unit = 10 ** Math.floor(Math.log10(number))
  return Math.floor(number / unit) * unit
}

/** A word of letters, preferably long, that occurs in some texts. */
function byWord({ path, cells }: Sampled, most: string): Example | undefined {
  const words = texts(cells).flatMap(
    (text) => text.match(/(?<![\p{L}\p{N}_])\p{L}{4,20}(?![\p{L}\p{N}_])/gu) ?? [],
  )
  const word = frequent(words)?.toLowerCase()
  if (word === undefined) return undefined
  return {
    says: `Objects with the word “${word}” in ${baseName(path)}`,
    query: `${path} matches ${quoted(word)}`,
    columns: distinct([most, path]),
  }
}

function byItem({ path, cells }: Sampled, most: string): Example | undefined {
  const item = frequent(cells.flatMap((cell) => (Array.isArray(cell) ? (cell as readonly string[]) : [])))
  if (item === undefined || item.length > 40) return undefined
  return {
    says: `Objects whose list ${baseName(path)} has “${item}”`,
    query: `${path} contains ${quoted(item)}`,
    columns: distinct([most, path]),
  }
}

/** Objects with the most used tag whose value of another tag equals that of some object. */
function combined(values: readonly Sampled[], most: string): Example | undefined {
  for (const { path, cells } of values) {
    const cell = frequent(texts(cells).filter(({ length }) => length <= 40))
    const condition = path === most || cell === undefined ? undefined : equals(path, cell)
    if (cell === undefined || condition === undefined) continue
    return {
      says: `Objects whose ${baseName(path)} is “${cell}”, and that have ${baseName(most)}`,
      query: `has ${most} and ${condition}`,
      columns: [most, path],
    }
  }
  return undefined
}

/** The most frequent item; the first one of several. */
function frequent<T>(all: readonly T[]): T | undefined {
  const counts = new Map<T, number>()
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts].reduce<readonly [T | undefined, number]>(
    (best, next) => (next[1] > best[1] ? next : best),
    [undefined, 0],
  )[0]
}

const distinct = (paths: readonly string[]): readonly string[] => [...new Set(paths)]

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
