/** Figures and tables as text. */
import type { Spread } from './statistics.ts'

/** A number with its significant digits. */
export const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(value < 1 ? 2 : 3)))
/** A median with its quartiles. */
export const spread = ({ median: middle, low, high }: Spread): string =>
  `${number(middle)} (${number(low)}–${number(high)})`

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, 3, ...rows.map((row) => row[i]?.length ?? 0)))
  const lineOf = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [
    lineOf(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rows.map(lineOf),
  ].join('\n')
}
