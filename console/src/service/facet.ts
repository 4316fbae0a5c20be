/** The types of counts of values, for modules that also run outside a browser. */
import type { ExactNumber } from '../../../packages/client/json.ts'
import type { Cell } from '../../../common/values.ts'

/** The count of a value; if a text is too long for the answer, `value` is its beginning, and `cut` is true. */
export interface Counted {
  readonly value: Cell
  readonly count: number
  readonly cut: boolean
}

/** The values of a tag. */
export interface Facet {
  readonly objects: number
  readonly types: Readonly<Record<string, number>>
  readonly top: readonly Counted[]
  readonly items: readonly Counted[]
  readonly numbers: Spread | undefined
}

/** The distribution of numbers. */
export interface Spread {
  readonly smallest: ExactNumber
  readonly largest: ExactNumber
  readonly bins: readonly { readonly from: ExactNumber; readonly to: ExactNumber; readonly count: number }[]
}
