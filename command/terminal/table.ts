/** Tables for terminals: columns as wide as what is in them, as far as the terminal is. */
import stringWidth from 'string-width'
import { isNumber, textOf, visible, type Cell } from '../../shared/values.ts'
import { styled } from './terminal.ts'

const GAP = '  '
/** A column is not made narrower than this for the sake of others. */
const LEAST = 8

/** The rows of a table, from which the widths follow. */
export class Table {
  readonly #columns: readonly string[]
  readonly #widths: readonly number[]
  readonly #right: readonly boolean[]

  /** A table whose columns suit these rows, and which is no wider than `width`; rows that come later are cut. */
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

const shownOf = (cell: Cell): string => visible(textOf(cell))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Paths without what they have in common with others, as far as they still differ. */
function lastNames(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1))
  return new Set(names).size === names.length ? names : paths
}

/** Widths of which the largest are lowered to the same, until they fit into `room`. */
function narrowed(widths: readonly number[], room: number): number[] {
  const total = (most: number): number => sum(widths.map((width) => Math.min(width, most)))
  let most = Math.max(LEAST, ...widths)
  while (most > LEAST && total(most) > room) most -= 1
  return widths.map((width) => Math.min(width, most))
}

/** A text of just this width, cut with an ellipsis if it is longer. */
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
