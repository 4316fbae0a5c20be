/** Reads from the URL, and writes into it, how the page shows results. */
import { go, hrefWith, type Params } from '../route.ts'

export type Show = 'table' | 'map' | 'chart'

/** The view of the results of a query. */
export interface AskState {
  readonly query: string
  /** Undefined if the user has not chosen any. */
  readonly columns: readonly string[] | undefined
  /** A tag, with `-` before it for the largest values first. */
  readonly sort: string | undefined
  readonly show: Show
  /** Undefined if the user has not chosen any. */
  readonly facets: readonly string[] | undefined
}

/** Means a choice of no tags, in contrast to no choice. */
const NONE = 'none'

const SHOWS: readonly string[] = ['map', 'chart']

export function readState(params: URLSearchParams): AskState {
  const show = params.get('show') ?? ''
  return {
    query: params.get('query') ?? '',
    columns: tagsOf(params.getAll('column')),
    sort: params.get('sort') ?? undefined,
    show: SHOWS.includes(show) ? (show as Show) : 'table',
    facets: tagsOf(params.getAll('facet')),
  }
}

/** The distinct tags in an argument. */
const tagsOf = (values: readonly string[]): readonly string[] | undefined =>
  values.length === 0 ? undefined : [...new Set(values.filter((value) => value !== NONE))]

const paramOf = (tags: readonly string[]): readonly string[] => (tags.length === 0 ? [NONE] : tags)

/** Changes the columns in the URL. */
export const showColumns = (columns: readonly string[]): void => change({ column: paramOf(columns) })

/** Changes the facets in the URL. */
export const showFacets = (tags: readonly string[]): void => change({ facet: paramOf(tags) })

/** Changes the sort order in the URL. */
export const showSorted = (sort: string | undefined): void => change({ sort })

/** Changes the query in the URL, and keeps the current columns. */
export const showOther = (query: string, columns: readonly string[]): void =>
  change({ query, column: paramOf(columns) })

const change = (params: Params): void => {
  go(hrefWith(params))
}
