/** Rows that were refused, as CSV with the columns of the data and a reason. */
import { textOfField, type Row } from './fields.ts'

/** A row that is not written, and why. */
export interface RefusedRow {
  readonly row: Row
  readonly reason: string
}

/** The name of a file of data without what says its format. */
export const nameOf = (file: string): string =>
  file.replace(/\.gz$/i, '').replace(/\.(csv|tsv|json|ndjson|jsonl|txt)$/i, '')

/** The first line. */
export const refusedHeading = (columns: readonly string[]): string[] => [...columns, 'reason']

/** The line of a row. */
export function refusedLine(columns: readonly string[], { row, reason }: RefusedRow): string[] {
  const texts = row.texts ?? columns.map((name) => textOfField(row.fields.get(name)))
  const [fields, surplus] = [texts.slice(0, columns.length), texts.slice(columns.length)]
  while (fields.length < columns.length) fields.push('')
  return [...fields, `row ${row.number}: ${reason}`, ...surplus]
}
