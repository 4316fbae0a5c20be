/** What counts of values hold: types alone, for what works without a browser. */
import type { ExactNumber } from '../../../packages/client/json.ts'
import type { Cell } from '../../../shared/values.ts'

/** How often a value occurs; of a text that is too long to be shown, `value` is its beginning, and `cut` is true. */
export interface Counted {
  readonly value: Cell
  readonly count: number
  readonly cut: boolean
}

/** What the values of a tag are like. */
export interface Facet {
  readonly objects: number
  readonly types: Readonly<Record<string, number>>
  readonly top: readonly Counted[]
  readonly items: readonly Counted[]
  readonly numbers: Spread | undefined
}

/** How numbers spread. */
export interface Spread {
  readonly smallest: ExactNumber
  readonly largest: ExactNumber
  readonly bins: readonly { readonly from: ExactNumber; readonly to: ExactNumber; readonly count: number }[]
}
