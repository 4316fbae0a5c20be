/** Reads the rows of any format. */
import { csvRecords } from './csv-records.ts'
import { csvRows, type Rows } from './fields.ts'
import type { Format } from './formats.ts'
import { jsonRows } from './json-rows.ts'

/** Reads the rows of a text. Throws a `Failure` if it cannot read the rest of the text. */
export async function readRows(texts: AsyncGenerator<string>, format: Format): Promise<Rows> {
  if (format.name !== 'csv') return { heading: undefined, rows: jsonRows(texts, format) }
  return csvRows(csvRecords(texts, format), format.heading !== 0)
}
