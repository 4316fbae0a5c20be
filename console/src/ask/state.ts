/** What the URL says about how results are shown. */
import { go, hrefWith, type Params } from '../route.ts'

export type Show = 'table' | 'map' | 'chart'

/** What to show of what a query finds. */
export interface AskState {
  readonly query: string
  /** Undefined if nobody has chosen any. */
  readonly columns: readonly string[] | undefined
  /** A tag, with `-` before it for the largest values first. */
  readonly sort: string | undefined
  readonly show: Show
  /** Undefined if nobody has chosen any. */
  readonly facets: readonly string[] | undefined
}

/** Stands for no tags, which is another choice than none. */
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

/** The tags of an argument, each once. */
const tagsOf = (values: readonly string[]): readonly string[] | undefined =>
  values.length === 0 ? undefined : [...new Set(values.filter((value) => value !== NONE))]

const paramOf = (tags: readonly string[]): readonly string[] => (tags.length === 0 ? [NONE] : tags)

/** Goes to the URL with other columns. */
export const showColumns = (columns: readonly string[]): void => change({ column: paramOf(columns) })

/** Goes to the URL with other facets. */
export const showFacets = (tags: readonly string[]): void => change({ facet: paramOf(tags) })

/** Goes to the URL with another order. */
export const showSorted = (sort: string | undefined): void => change({ sort })

/** Goes to the URL with another query, and the columns that are shown now. */
export const showOther = (query: string, columns: readonly string[]): void =>
  change({ query, column: paramOf(columns) })

const change = (params: Params): void => {
  go(hrefWith(params))
}
