/** Reading rows, one after the other, of any format. */
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Failure } from '../../shared/failure.ts'
import { csvRows, type Rows } from '../../shared/importing/fields.ts'
import type { Format } from '../../shared/importing/formats.ts'
import { LONGEST_ROW } from '../../shared/importing/json-elements.ts'
import { jsonRows } from '../../shared/importing/json-rows.ts'

/** Reads the rows of a text. Throws a `Failure` where nothing after can be read. */
export async function readRows(texts: AsyncGenerator<string>, format: Format): Promise<Rows> {
  if (format.name !== 'csv') return { heading: undefined, rows: jsonRows(texts, format.name) }
  return csvRows(recordsOf(texts, format))
}

async function* recordsOf(
  texts: AsyncGenerator<string>,
  { separator, quotes }: Extract<Format, { name: 'csv' }>,
): AsyncGenerator<readonly string[]> {
  const parser = parse({
    delimiter: separator,
    quote: quotes ? '"' : false,
    // Quotes in the middle of a field are part of it.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
  })
  // Whoever iterates gets the error.
  pipeline(Readable.from(texts), parser, () => undefined)
  try {
    for await (const record of parser) yield record as string[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The heading is one of them.
    const rows = parser.info.records - 1
    const where = rows > 0 ? `after row ${rows}` : 'at its beginning'
    throw new Failure(
      /QUOTE_NOT_CLOSED|MAX_RECORD_SIZE/.test(error.code)
        ? `${where} a quote opens that is not closed`
        : `${where} there is no CSV: ${error.message}`,
      'correct the file and import it again; what was written stays',
      1,
      { cause: error },
    )
  }
}
