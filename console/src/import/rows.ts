/** Rows of a file of any format. CSV is read and written by papaparse. */
import Papa from 'papaparse'
import { csvRows, type Rows } from '../../../shared/importing/fields.ts'
import type { Format } from '../../../shared/importing/formats.ts'
import { LONGEST_ROW } from '../../../shared/importing/json-elements.ts'
import { jsonRows } from '../../../shared/importing/json-rows.ts'
import { Failure } from '../../../shared/failure.ts'

type Csv = Extract<Format, { name: 'csv' }>

/** Reads the rows of a text. Throws a `Failure` where nothing after can be read. */
export async function readRows(texts: AsyncGenerator<string>, format: Format): Promise<Rows> {
  if (format.name !== 'csv') return { heading: undefined, rows: jsonRows(texts, format.name) }
  return csvRows(recordsOf(texts, format))
}

/** Lines of CSV. */
export const csvText = (lines: readonly (readonly string[])[]): string =>
  `${Papa.unparse(lines as string[][], { newline: '\n' })}\n`

/** What papaparse answers about a piece of text. */
interface Parsed {
  readonly data: readonly (readonly string[])[]
  readonly errors: readonly { readonly code: string }[]
  readonly meta: { readonly cursor: number }
}

/** The records of a text that arrives in pieces: what may go on in the next piece waits for it. */
async function* recordsOf(texts: AsyncIterable<string>, format: Csv): AsyncGenerator<readonly string[]> {
  let parse: ((text: string, isLast: boolean) => Parsed) | undefined
  let rest = ''
  let records = 0
  const taken = function* ({ data }: Parsed): Generator<readonly string[]> {
    for (const record of data) {
      if (record.length === 1 && record[0] === '') continue
      records += 1
      yield record
    }
  }
  for await (const text of texts) {
    rest += text
    // Until its first line is over, nobody knows how lines end.
    if (parse === undefined && !/[^\r]\n|\r[^]/.test(outside(rest, format))) continue
    parse ??= parserOf(format, rest)
    const parsed = parse(rest, false)
    yield* taken(parsed)
    rest = rest.slice(parsed.meta.cursor)
    if (rest.length > LONGEST_ROW) throw notClosed(records)
  }
  const last = (parse ?? parserOf(format, rest))(rest, true)
  if (last.errors.some(({ code }) => code === 'MissingQuotes')) throw notClosed(records)
  yield* taken(last)
}

/** A text without what stands in quotes, where lines may end in another way. */
const outside = (text: string, { separator, quotes }: Csv): string =>
  quotes ? text.replace(new RegExp(`(?<=^|[\\r\\n${separator}])"[^"]*(?:""[^"]*)*(?:"|$)`, 'g'), '""') : text

function parserOf(format: Csv, head: string): (text: string, isLast: boolean) => Parsed {
  const { separator, quotes } = format
  const [newline = '\n'] = /\r\n|\n|\r/.exec(outside(head, format)) ?? []
  const parser = new Papa.Parser({
    delimiter: separator,
    newline: newline as '\n',
    // In its fast mode papaparse knows no quotes; left to itself, it looks whether there are any.
    ...(quotes ? {} : { fastMode: true }),
  })
  return (text, isLast) => parser.parse(text, 0, !isLast) as Parsed
}

const notClosed = (records: number): Failure =>
  new Failure(
    `after row ${Math.max(0, records - 1)} a quote opens that is not closed`,
    'correct the file and import it again; what was written stays',
  )
