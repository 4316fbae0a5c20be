/** Writes refused rows as CSV, with the columns of the data and a reason. */
import { textOfField, type Row } from './fields.ts'

/** The reason why the importer cannot write a row. */
export class Refusal {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** A row that the import did not write, and the reason. */
export interface RefusedRow {
  readonly row: Row
  readonly reason: string
}

/** The name of a data file without the extension of its format. */
export const fileStem = (file: string): string =>
  file.replace(/\.gz$/i, '').replace(/\.(csv|tsv|json|ndjson|jsonl|txt)$/i, '')

/** The heading. */
export const refusedHeading = (columns: readonly string[]): string[] => [...columns, 'reason']

/** The line for a row. */
export function refusedLine(columns: readonly string[], { row, reason }: RefusedRow): string[] {
  const texts = row.texts ?? columns.map((name) => textOfField(row.fields.get(name)))
  const [fields, surplus] = [texts.slice(0, columns.length), texts.slice(columns.length)]
  while (fields.length < columns.length) fields.push('')
  return [...fields, `row ${row.number}: ${reason}`, ...surplus]
}
