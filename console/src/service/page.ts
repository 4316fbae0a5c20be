/** What a page of `GET /search` holds: types alone, for what works without a browser. */
import type { Cell } from '../../../shared/values.ts'

/** An object that a query matches. */
export interface Found {
  readonly id: string
  readonly about: string | null
  /** By tag; what the object does not have is not there. */
  readonly values: Readonly<Record<string, Cell>>
}

/** A page of what a query matches. */
export interface Page {
  readonly count: number | undefined
  readonly exact: boolean
  readonly results: readonly Found[]
  /** The cursor of the following page. */
  readonly next: string | undefined
}
