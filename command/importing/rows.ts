/** Reading rows, one after the other, of any format. */
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { isNumber, jsonOf, parseExact, textOf, type Cell } from '../manners/cells.ts'
import { Failure } from '../manners/failure.ts'
import type { Format } from './formats.ts'
import { elementsOf, LONGEST_ROW } from './json-elements.ts'

/** What stands in a column of a row: a text in CSV, in JSON any value, its numbers as `parseExact` has them. */
export type Field = Cell | object

/** A row. */
export interface Row {
  /** Counted from 1, without a heading. */
  readonly number: number
  /** By column. What a row of JSON lacks is not there. */
  readonly fields: ReadonlyMap<string, Field>
  /** Why it is no row, if it is none. */
  readonly flaw?: string
  /** Its fields as they were read, of CSV; or all of what is not JSON. */
  readonly texts?: readonly string[]
}

/** Rows that are read once. */
export interface Rows {
  /** The heading of CSV, which JSON does not have. */
  readonly heading: readonly string[] | undefined
  readonly rows: AsyncGenerator<Row>
}

/** Reads the rows of a text. Throws a `Failure` where nothing after can be read. */
export async function readRows(texts: AsyncGenerator<string>, format: Format): Promise<Rows> {
  if (format.name !== 'csv') {
    const elements = format.name === 'json' ? elementsOf(texts) : linesOf(texts)
    return { heading: undefined, rows: parsedRows(elements) }
  }
  const records = recordsOf(texts, format)
  const first = await records.next()
  const heading = first.done ? [] : first.value
  return { heading, rows: csvRows(heading, records) }
}

async function* csvRows(
  heading: readonly string[],
  records: AsyncGenerator<readonly string[]>,
): AsyncGenerator<Row> {
  let number = 0
  for await (const texts of records) {
    number += 1
    const fields = new Map(heading.map((name, index) => [name, texts[index]]))
    const flaw = `it has ${texts.length} fields, and the heading has ${heading.length}`
    yield texts.length === heading.length ? { number, fields, texts } : { number, fields, texts, flaw }
  }
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
    throw new Failure(
      /QUOTE_NOT_CLOSED|MAX_RECORD_SIZE/.test(error.code)
        ? `after row ${parser.info.records - 1} a quote opens that is not closed`
        : `after row ${parser.info.records - 1} there is no CSV: ${error.message}`,
      'correct the file and import it again; what was written stays',
      1,
      { cause: error },
    )
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of texts) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_ROW) {
      throw new Failure('a line is longer than 16 MiB', 'write an object a line, or an array of objects')
    }
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

async function* parsedRows(elements: AsyncIterable<string>): AsyncGenerator<Row> {
  let number = 0
  for await (const element of elements) {
    number += 1
    yield rowOf(number, element.trim())
  }
}

function rowOf(number: number, text: string): Row {
  const none = { number, fields: new Map<string, Field>(), texts: [text] }
  try {
    const value = parseExact(text) as Field
    if (isObject(value)) return { number, fields: new Map(Object.entries(value as object)) }
    return { ...none, flaw: 'it is no JSON object' }
  } catch (error) {
    return { ...none, flaw: `it is no JSON: ${(error as Error).message}` }
  }
}

/** Whether it is an object of JSON, in which nothing can be stored. */
export const isObject = (field: Field): boolean =>
  typeof field === 'object' && field !== null && !Array.isArray(field) && !isNumber(field as Cell)

export const isTexts = (field: Field): field is readonly string[] =>
  Array.isArray(field) && field.every((item) => typeof item === 'string')

/** A field as text: a string as it is, and of what JSON has besides, its JSON. Nothing is an empty text. */
export const textOfField = (field: Field): string =>
  typeof field === 'object' && field !== null && !isNumber(field as Cell)
    ? jsonOf(field)
    : textOf(field as Cell)
