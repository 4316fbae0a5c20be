/** The measured requests to `/search` and its subpaths. */
import { tagPath } from './catalogue.ts'
import { queryText, type Question } from './shapes.ts'

/** A page of the results of a query, sorted by the values of a tag. */
export interface PageShape {
  readonly name: string
  readonly question: Question & { readonly kind: 'has' }
  /** The tag to sort by. */
  readonly sort: string
  readonly descending: boolean
  /** The tags whose values the page contains. */
  readonly columns: readonly string[]
  /** The number of the page, from 1. */
  readonly page: number
}

/** The number of objects on a page. */
export const PAGE_LIMIT = 100

const has = (name: string): PageShape['question'] => ({ kind: 'has', tag: tagPath(name) })

/** Objects with one tag, sorted by the values of another; each high price is on few objects. */
const BY_PRICE = {
  name: 'titles by price, dearest first',
  question: has('title'),
  sort: tagPath('price'),
  descending: true,
  columns: [tagPath('title'), tagPath('price')],
}

/** Objects with a tag, sorted by its own values, very many of which are equal. */
const BY_YEAR = {
  name: 'books by year, latest first',
  question: has('year'),
  sort: tagPath('year'),
  descending: true,
  columns: [tagPath('title'), tagPath('year')],
}

const pagesOf = (search: Omit<PageShape, 'page'>, [ordinal, far]: readonly [string, number]): PageShape[] => [
  { ...search, name: `first page of ${search.name}`, page: 1 },
  { ...search, name: `${ordinal} page of ${search.name}`, page: far },
]

const [HUNDREDTH, FIFTIETH] = [['hundredth', 100] as const, ['fiftieth', 50] as const]

/** Pages in the middle of the results in the smallest store. */
export const GROWING_PAGES: readonly PageShape[] = pagesOf(BY_YEAR, FIFTIETH)

/** The measured pages in a store; the hundredth page of the smallest store would be its last, or would not exist. */
export const pagesIn = (values: number): PageShape[] =>
  [BY_PRICE, BY_YEAR].flatMap((search) => pagesOf(search, values > 100_000 ? HUNDREDTH : FIFTIETH))

/** The search for a page, in the terms of the service. */
export const searchedFor = ({ question, sort, descending, columns }: PageShape) => ({
  query: queryText(question),
  sort: `${descending ? '-' : ''}${sort}`,
  tags: columns,
})

/** The path and query string of a search for pages; the function appends `more`. */
export function searchPath(shape: PageShape, more: Readonly<Record<string, string>> = {}): string {
  const { query, sort, tags } = searchedFor(shape)
  const columns = tags.map((tag) => ['tag', tag])
  const all = [
    ['query', query],
    ...columns,
    ['sort', sort],
    ['limit', String(PAGE_LIMIT)],
    ...Object.entries(more),
  ]
  return `/search?${new URLSearchParams(all as [string, string][]).toString()}`
}

/** The facets of tags on the results of a query. */
export interface FacetShape {
  readonly name: string
  readonly question: Question & { readonly kind: 'has' }
  readonly tags: readonly string[]
}

export const FACETS: readonly FacetShape[] = [
  {
    name: 'language, year, rating',
    question: has('favourite'),
    tags: ['language', 'year', 'rating'].map(tagPath),
  },
  {
    name: 'price, pages, borrowed: thousands of values each',
    question: has('favourite'),
    tags: ['price', 'pages', 'borrowed'].map(tagPath),
  },
]

/** The default number of most frequent values in facets. */
export const TOP = 10

export const facetsPath = ({ question, tags }: FacetShape): string =>
  `/search/facets?${new URLSearchParams([['query', queryText(question)], ...tags.map((tag) => ['tag', tag])] as [string, string][]).toString()}`
