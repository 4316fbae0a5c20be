/** The types of a page of `GET /search`, for modules that also run outside a browser. */
import type { Cell } from '../../../common/values.ts'

/** An object that a query matches. */
export interface Found {
  readonly id: string
  readonly about: string | null
  /** By tag; missing values have no member. */
  readonly values: Readonly<Record<string, Cell>>
}

/** A page of the results of a query. */
export interface Page {
  readonly count: number | undefined
  readonly exact: boolean
  readonly results: readonly Found[]
  /** The cursor of the next page. */
  readonly next: string | undefined
}
