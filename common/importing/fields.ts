/** Rows and their fields, for every format. */
import { Failure } from '../failure.ts'
import type { CsvRecord } from './csv-records.ts'
import { toJson } from '../../packages/client/json.ts'
import { isNumber, cellText, type Cell } from '../values.ts'

/** The content of a column in a row: a text in CSV; any value in JSON, with numbers as `parseExact` returns them. */
export type Field = Cell | object

/** Fields by column. A column that a JSON row lacks has no field. */
interface Fields extends Iterable<readonly [column: string, field: Field]> {
  readonly get: (column: string) => Field
  readonly keys: () => Iterable<string>
  readonly values: () => Iterable<Field>
}

/** A row. */
export interface Row {
  /** The number of the row, from 1; the heading does not count. */
  readonly number: number
  readonly fields: Fields
  /** The reason why the text is not a row, if it is not. */
  readonly flaw?: string
  /** For CSV the fields as the file has them; for text that is not JSON the whole text. */
  readonly texts?: readonly string[]
  /** The rows of the file that this row stands for, if it is not one of them. */
  readonly rows?: readonly Row[]
}

/** The rows of a file; a caller can iterate over them once. */
export interface Rows {
  /** The heading of CSV; JSON has none. */
  readonly heading: readonly string[] | undefined
  readonly rows: AsyncGenerator<Row>
}

/** The rows of CSV. The first record is the heading; without one, the columns are called `column 1`, `column 2`, … */
export async function csvRows(records: AsyncGenerator<CsvRecord>, hasHeading: boolean): Promise<Rows> {
  const first = await records.next()
  if (first.done) return { heading: [], rows: below([], records) }
  const { texts, flaw } = first.value
  if (!hasHeading) {
    const heading = namesOf(texts.map(() => ''))
    return { heading, rows: below(heading, chain([first.value], records)) }
  }
  if (flaw !== undefined)
    throw new Failure(`the heading cannot be read: ${flaw}`, 'correct the file and import it again')
  const heading = namesOf(texts)
  return { heading, rows: below(heading, records) }
}

/** The names of columns: a heading without blanks around names, `column 3` for an empty name, `name (2)` for a second one. */
export function namesOf(heading: readonly string[]): string[] {
  const names = new Set<string>()
  for (const [index, text] of heading.entries()) {
    const name = text.trim() === '' ? `column ${index + 1}` : text.trim()
    let other = name
    for (let count = 2; names.has(other); count++) other = `${name} (${count})`
    names.add(other)
  }
  return [...names]
}

async function* below(heading: readonly string[], records: AsyncGenerator<CsvRecord>): AsyncGenerator<Row> {
  const places = new Map(heading.map((name, place) => [name, place]))
  let number = 0
  for await (const { texts, flaw, line } of records) {
    number += 1
    const row = { number, fields: new CsvFields(places, texts), texts }
    if (flaw !== undefined) yield { ...row, flaw }
    else if (texts.length <= heading.length || texts.slice(heading.length).every((text) => text === ''))
      yield row
    else
      yield {
        ...row,
        flaw: `it has ${texts.length} fields, and the heading has ${heading.length} (line ${line})`,
      }
  }
}

/** Yields the first items, and then the others. */
export async function* chain<Item>(first: readonly Item[], rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  yield* first
  yield* rest
}

/** The fields of a CSV row. A map for each row would take a tenth of the processor time of an import. */
class CsvFields implements Fields {
  readonly #places: ReadonlyMap<string, number>
  readonly #texts: readonly string[]

  constructor(places: ReadonlyMap<string, number>, texts: readonly string[]) {
    this.#places = places
    this.#texts = texts
  }

  get(column: string): Field {
    const place = this.#places.get(column)
    // Spreadsheet programs leave out empty fields at the end of a row.
    return place === undefined ? undefined : (this.#texts[place] ?? '')
  }

  keys(): Iterable<string> {
    return this.#places.keys()
  }

  *values(): Generator<Field, undefined> {
    for (const [, field] of this) yield field
  }

  *[Symbol.iterator](): Generator<readonly [string, Field], undefined> {
    for (const column of this.keys()) yield [column, this.get(column)]
  }
}

/** Returns whether a field is a JSON object, which the service cannot store. */
export const isObject = (field: Field): boolean =>
  typeof field === 'object' && field !== null && !Array.isArray(field) && !isNumber(field as Cell)

export const isTexts = (field: Field): field is readonly string[] =>
  Array.isArray(field) && field.every((item) => typeof item === 'string')

/** The text of a field: a string unchanged, any other JSON value as JSON, an empty text for undefined. */
export const textOfField = (field: Field): string =>
  typeof field === 'object' && field !== null && !isNumber(field as Cell)
    ? toJson(field)
    : cellText(field as Cell)
