/** The requests to `/search` and what is below it that are measured. */
import { tagPath } from './catalogue.ts'
import { queryText, type Question } from './shapes.ts'

/** A page of what a query matches, in the order of a tag's values. */
export interface PageShape {
  readonly name: string
  readonly question: Question & { readonly kind: 'has' }
  /** The tag to sort by. */
  readonly sort: string
  readonly descending: boolean
  /** The tags whose values are shown. */
  readonly columns: readonly string[]
  /** Which page, the first one being 1. */
  readonly page: number
}

/** How many objects a page shows. */
export const PAGE_LIMIT = 100

const has = (name: string): PageShape['question'] => ({ kind: 'has', tag: tagPath(name) })

/** Objects with one tag by the values of another, high prices being on few objects each. */
const BY_PRICE = {
  name: 'titles by price, dearest first',
  question: has('title'),
  sort: tagPath('price'),
  descending: true,
  columns: [tagPath('title'), tagPath('price')],
}

/** Objects with a tag by its own values, of which very many are equal. */
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

/** Pages in the midst of what the smallest store has. */
export const GROWING_PAGES: readonly PageShape[] = pagesOf(BY_YEAR, FIFTIETH)

/** The pages that are measured in a store; the hundredth of the smallest one would be its last one, or none. */
export const pagesIn = (values: number): PageShape[] =>
  [BY_PRICE, BY_YEAR].flatMap((search) => pagesOf(search, values > 100_000 ? HUNDREDTH : FIFTIETH))

/** What is searched for a page, as the service knows it. */
export const searchedFor = ({ question, sort, descending, columns }: PageShape) => ({
  query: queryText(question),
  sort: `${descending ? '-' : ''}${sort}`,
  tags: columns,
})

/** The path and query string of a search for pages; `more` is added to it. */
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

/** The facets of tags on what a query matches. */
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

/** How many of the most frequent values facets show by default. */
export const TOP = 10

export const facetsPath = ({ question, tags }: FacetShape): string =>
  `/search/facets?${new URLSearchParams([['query', queryText(question)], ...tags.map((tag) => ['tag', tag])] as [string, string][]).toString()}`
