/** Formats tables for terminals. Columns are as wide as their content, as far as the terminal allows. */
import stringWidth from 'string-width'
import { isNumber, cellText, visible, type Cell } from '../../common/values.ts'
import { styled } from './terminal.ts'

const GAP = '  '
/** The least width to which the table narrows a column. */
const LEAST = 8

/** The rows of a table, which determine the column widths. */
export class Table {
  readonly #columns: readonly string[]
  readonly #widths: readonly number[]
  readonly #right: readonly boolean[]

  /** A table with column widths for these rows, at most `width` wide in total. It cuts later rows to these widths. */
  constructor(columns: readonly string[], rows: readonly (readonly Cell[])[], width: number) {
    const room = width - GAP.length * (columns.length - 1)
    const cells = columns.map((_, index) => Math.max(...rows.map((row) => stringWidth(shownOf(row[index])))))
    const under = (headings: readonly string[]): number[] =>
      headings.map((name, index) => Math.max(stringWidth(name), cells[index] ?? 0))
    const fits = sum(under(columns)) <= room
    this.#columns = fits ? columns : lastNames(columns)
    this.#widths = narrowed(under(this.#columns), room)
    this.#right = columns.map((_, index) => {
      const cells = rows.map((row) => row[index]).filter((cell) => cell !== undefined && cell !== null)
      return cells.length > 0 && cells.every(isNumber)
    })
  }

  /** The names of the columns, as `stream` shows them. */
  heading(stream: NodeJS.WriteStream = process.stdout): string {
    return styled('bold', this.#line(this.#columns), stream)
  }

  row(cells: readonly Cell[]): string {
    return this.#line(cells.map(shownOf))
  }

  #line(texts: readonly string[]): string {
    return this.#widths
      .map((width, index) => fitted(texts[index] ?? '', width, this.#right[index] ?? false))
      .join(GAP)
      .trimEnd()
  }
}

const shownOf = (cell: Cell): string => visible(cellText(cell))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Shortens paths by the parts that they share, as long as they remain different. */
function lastNames(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1))
  return new Set(names).size === names.length ? names : paths
}

/** Reduces the largest widths to a common width, until the sum fits into `room`. */
function narrowed(widths: readonly number[], room: number): number[] {
  const total = (most: number): number => sum(widths.map((width) => Math.min(width, most)))
  let most = Math.max(LEAST, ...widths)
  while (most > LEAST && total(most) > room) most -= 1
  return widths.map((width) => Math.min(width, most))
}

/** A text of exactly this width; a longer text ends in an ellipsis. */
export function fitted(text: string, width: number, right = false): string {
  const short = cut(text, width)
  const padding = ' '.repeat(width - stringWidth(short))
  return right ? padding + short : short + padding
}

const graphemes = new Intl.Segmenter()

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept}…`
}
