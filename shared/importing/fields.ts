/** Rows and what is in them, whatever they were read from. */
import { Failure } from '../failure.ts'
import type { CsvRecord } from './csv-records.ts'
import { toJson } from '../../packages/client/json.ts'
import { isNumber, textOf, type Cell } from '../values.ts'

/** What stands in a column of a row: a text in CSV, in JSON any value, its numbers as `parseExact` has them. */
export type Field = Cell | object

/** Fields by column. What a row of JSON lacks is not there. */
interface Fields extends Iterable<readonly [column: string, field: Field]> {
  readonly get: (column: string) => Field
  readonly keys: () => Iterable<string>
  readonly values: () => Iterable<Field>
}

/** A row. */
export interface Row {
  /** Counted from 1, without a heading. */
  readonly number: number
  readonly fields: Fields
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

/** The rows of CSV, of whose records the first one is the heading. */
export async function csvRows(records: AsyncGenerator<CsvRecord>): Promise<Rows> {
  const first = await records.next()
  const { texts: heading, flaw } = first.done ? { texts: [] } : first.value
  if (flaw !== undefined)
    throw new Failure(`the heading cannot be read: ${flaw}`, 'correct the file and import it again')
  return { heading, rows: below(heading, records) }
}

async function* below(heading: readonly string[], records: AsyncGenerator<CsvRecord>): AsyncGenerator<Row> {
  const places = new Map(heading.map((name, place) => [name, place]))
  let number = 0
  for await (const { texts, flaw } of records) {
    number += 1
    const row = { number, fields: new CsvFields(places, texts), texts }
    if (flaw !== undefined) yield { ...row, flaw }
    else if (texts.length === heading.length) yield row
    else yield { ...row, flaw: `it has ${texts.length} fields, and the heading has ${heading.length}` }
  }
}

/** The fields of a row of CSV. A map for each row would take a tenth of the processor time of an import. */
class CsvFields implements Fields {
  readonly #places: ReadonlyMap<string, number>
  readonly #texts: readonly string[]

  constructor(places: ReadonlyMap<string, number>, texts: readonly string[]) {
    this.#places = places
    this.#texts = texts
  }

  get(column: string): Field {
    const place = this.#places.get(column)
    return place === undefined ? undefined : this.#texts[place]
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

/** Whether it is an object of JSON, in which nothing can be stored. */
export const isObject = (field: Field): boolean =>
  typeof field === 'object' && field !== null && !Array.isArray(field) && !isNumber(field as Cell)

export const isTexts = (field: Field): field is readonly string[] =>
  Array.isArray(field) && field.every((item) => typeof item === 'string')

/** A field as text: a string as it is, and of what JSON has besides, its JSON. Nothing is an empty text. */
export const textOfField = (field: Field): string =>
  typeof field === 'object' && field !== null && !isNumber(field as Cell)
    ? toJson(field)
    : textOf(field as Cell)
