/** A value on one line. */
import type { JSX } from 'preact'
import { isNumber, textOf, typeOf, visible, type Cell } from '../../../command/manners/cells.ts'

/** A value as a person reads it: numbers with separators, texts in full, nothing as nothing. */
export function Value({ cell }: { cell: Cell }): JSX.Element | null {
  if (cell === undefined) return null
  if (isNumber(cell)) return <span class="value number">{grouped(textOf(cell))}</span>
  if (Array.isArray(cell)) {
    return (
      <span class="value list">
        {(cell as readonly string[]).map((item) => (
          <span class="item">{visible(item)}</span>
        ))}
      </span>
    )
  }
  return <span class={`value ${typeOf(cell)}`}>{visible(textOf(cell))}</span>
}

/** The digits of a whole number in groups of three, of any length; what has an exponent stands as it is. */
export const grouped = (text: string): string =>
  text.includes('e') ? text : text.replace(/^(-?\d+)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))
