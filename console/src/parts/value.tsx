/** Shows a value on one line. */
import type { ComponentChildren, JSX } from 'preact'
import { isNumber, cellText, typeOf, visible, type Cell } from '../../../common/values.ts'

/** A value for people: numbers with separators, texts in full, undefined as an empty text. */
export const Value = ({ cell }: { cell: Cell }): JSX.Element | null =>
  cell === undefined ? null : <span class={classOf(cell)}>{contentsOf(cell)}</span>

/** The class of an element that contains only a value. */
export const classOf = (cell: Exclude<Cell, undefined>): string =>
  `value ${isNumber(cell) ? 'number' : Array.isArray(cell) ? 'list' : typeOf(cell)}`

/** The text of such an element. */
export function contentsOf(cell: Exclude<Cell, undefined>): ComponentChildren {
  if (isNumber(cell)) return grouped(cellText(cell))
  if (!Array.isArray(cell)) return visible(cellText(cell))
  return (cell as readonly string[]).map((item) => <span class="item">{visible(item)}</span>)
}

/** Groups the digits of a whole number of any length in threes; a number with an exponent stays unchanged. */
export const grouped = (text: string): string =>
  text.includes('e')
    ? text
    : text.replace(/^(-?)(\d+)/, (_, sign: string, digits: string) => sign + inThrees(digits))

const inThrees = (digits: string): string => {
  const first = digits.length % 3
  const others = digits.slice(first).match(/\d{3}/g) ?? []
  return [...(first > 0 ? [digits.slice(0, first)] : []), ...others].join(',')
}
