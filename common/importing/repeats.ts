/** Decides which rows count if several are about one object. */
import type { Address } from '../connection/addresses.ts'
import { Failure } from '../failure.ts'
import { itemsOf, quoted } from './conversions.ts'
import { targetOf } from './converting.ts'
import { textOfField, type Field, type Row } from './fields.ts'
import { columnsOf, type Mapping, type OnRepeat, type Written } from './mapping.ts'
import { addressKey, type Objects } from './objects.ts'
import { Refusal } from './refusals.ts'
import { isMissing } from './stored-values.ts'
import { isEscaped } from './typed-columns.ts'

/** What becomes of rows about the same object, in words. */
export const REPEAT_NAMES: Readonly<Record<OnRepeat, string>> = {
  last: 'the values of later rows win',
  first: 'only the first row of each counts',
  list: 'different strings become a list',
  refuse: 'all but the first row of each are refused',
}

/** `2,922 rows on 1,461 objects`; undefined if each row is about another object. */
export const repeatsText = ({ rows, count }: Objects): string | undefined =>
  rows === count
    ? undefined
    : `${rows.toLocaleString('en')} rows on ${count.toLocaleString('en')} ${count === 1 ? 'object' : 'objects'}`

/** Returns whether several rows are about one object, without a choice of what becomes of them. */
export const isUndecided = (objects: Objects, mapping: Mapping): boolean =>
  objects.rows > objects.count && mapping['on-repeat'] === undefined

/**
 * The rows that an import sends. For `list`, the rows of an object become one, which takes the place of the last of them;
 * it throws a `Failure` if too many rows wait for that.
 */
export function chosenRows(rows: AsyncIterable<Row>, mapping: Mapping, objects: Objects): AsyncIterable<Row> {
  const choice = mapping['on-repeat']
  if (choice === undefined || choice === 'last' || objects.rows === objects.count) return rows
  if (choice === 'list') return new Merger(mapping, objects).merged(rows)
  return choice === 'first' ? firstRows(rows, mapping, objects) : refusing(rows, mapping, objects)
}

/** The object of a row; undefined if the import refuses the row anyway. */
function objectOf(row: Row, { object }: Mapping): Address | undefined {
  const target = row.flaw === undefined ? targetOf(object, row) : undefined
  return target instanceof Refusal ? undefined : target
}

/** The number of the first row about the object of this row. */
function firstOf(row: Row, mapping: Mapping, objects: Objects): number {
  const target = objectOf(row, mapping)
  return target === undefined ? row.number : objects.of(target).first
}

async function* firstRows(rows: AsyncIterable<Row>, mapping: Mapping, objects: Objects): AsyncGenerator<Row> {
  for await (const row of rows) if (firstOf(row, mapping, objects) === row.number) yield row
}

async function* refusing(rows: AsyncIterable<Row>, mapping: Mapping, objects: Objects): AsyncGenerator<Row> {
  for await (const row of rows) {
    const first = firstOf(row, mapping, objects)
    yield first === row.number ? row : { ...row, flaw: `row ${first} is about the same object` }
  }
}

/** The most rows that wait for later rows about their objects, and the most characters in them. */
const MOST_ROWS = 100_000
const MOST_CHARACTERS = 64 * 1024 * 1024

const charactersIn = (row: Row): number =>
  [...row.fields.values()].reduce<number>((sum, field) => sum + textOfField(field).length, 0)

/** Makes one row of the rows about each object. */
class Merger {
  readonly #mapping: Mapping
  readonly #objects: Objects
  readonly #waiting = new Map<string, Row[]>()
  #rows = 0
  #characters = 0

  constructor(mapping: Mapping, objects: Objects) {
    this.#mapping = mapping
    this.#objects = objects
  }

  async *merged(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
    for await (const row of rows) {
      const target = objectOf(row, this.#mapping)
      const count = target === undefined ? 1 : this.#objects.of(target).rows
      const whole = target === undefined || count === 1 ? [row] : this.#collect(row, target, count)
      if (whole !== undefined) yield mergedRow(whole, this.#mapping)
    }
  }

  /** Keeps a row; returns all rows of its object after the last of them. */
  #collect(row: Row, target: Address, count: number): Row[] | undefined {
    const key = addressKey(target)
    const kept = this.#waiting.get(key) ?? []
    kept.push(row)
    this.#rows += 1
    this.#characters += charactersIn(row)
    if (kept.length === count) {
      this.#waiting.delete(key)
      this.#rows -= count
      for (const one of kept) this.#characters -= charactersIn(one)
      return kept
    }
    this.#waiting.set(key, kept)
    if (this.#rows <= MOST_ROWS && this.#characters <= MOST_CHARACTERS) return undefined
    throw new Failure(
      `${this.#rows.toLocaleString('en')} rows wait for later rows about the same objects`,
      `sort the file by ${columnsOf(this.#mapping.object).join(' and ')}, so that these follow one another`,
    )
  }
}

function mergedRow(rows: readonly Row[], mapping: Mapping): Row {
  const [last] = rows.slice(-1)
  if (last === undefined) throw new TypeError('no row')
  if (rows.length === 1) return last
  const fields = new Map<string, Field>(last.fields)
  const row = { number: last.number, fields, rows }
  for (const column of mapping.columns) {
    if ('skip' in column) continue
    const field = mergedField(rows, column, mapping)
    if (field instanceof Refusal) return { ...row, flaw: `${column.column}: ${field.reason}` }
    fields.set(column.column, field)
  }
  return row
}

/** The field for several rows: their only value, or the list of their different strings. */
function mergedField(rows: readonly Row[], column: Written, mapping: Mapping): Field | Refusal {
  const fields = rows
    .map((row) => row.fields.get(column.column))
    .filter((field) => field !== null && !isMissing(column, field, mapping))
  const byText = new Map(fields.map((field) => [textOfField(field), field]))
  const [only, ...others] = byText.values()
  if (others.length === 0) return only ?? rows[0]?.fields.get(column.column)
  const different = [...byText.keys()]
  const areTexts = fields.every((field) => typeof field === 'string' && !isEscaped(column.column, field))
  if (areTexts && (column.type === 'string' || column.type === 'any')) return different
  if (column.type === 'list') return listOf(fields, mapping['list-separator'])
  const [one = '', other = ''] = different.map(quoted)
  return new Refusal(`${one} and ${other} are about the same object, and only strings become a list`)
}

function listOf(fields: readonly Field[], separator: string | undefined): readonly string[] | Refusal {
  const items = new Set<string>()
  for (const field of fields) {
    const some = itemsOf(field, separator)
    if (some instanceof Refusal) return some
    for (const item of some) items.add(item)
  }
  return [...items]
}
