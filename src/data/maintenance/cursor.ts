/** Reads a whole table of any size: row by row, in the order of a key, with a few portions of it in memory. */
import { join, raw, sql, type Bindable, type Sql } from '../database/connection/sql.ts'
import type { Dialect } from '../database/connection/dialects.ts'
import type { ReadTx } from '../store/views.ts'

/** The rows of a table to read. */
export interface Listing {
  readonly table: string
  readonly columns: readonly string[]
  /** The columns of an index, in whose order the rows come; the key is unique. */
  readonly key: readonly string[]
  /** The index that has the key; by default the primary one. */
  readonly index?: string
  /** Reads only the rows of one tag. Then `key` has no `tag_id`. */
  readonly tagId?: number
  /** Whether rows are as large as parts of values. */
  readonly large?: boolean
}

/** How many rows a statement reads. Large ones may have a mebibyte each. */
const rowsAtOnce = ({ large = false }: Listing): number => (large ? 4 : 2_000)

/** The rows of a listing, one after the other. */
export class Cursor<Row extends object> {
  readonly #read: (last: Row | undefined) => Promise<Row[]>
  readonly #atOnce: number
  #rows: readonly Row[] = []
  #at = 0
  #next: Promise<Row[]> | undefined

  private constructor(read: (last: Row | undefined) => Promise<Row[]>, atOnce: number) {
    this.#read = read
    this.#atOnce = atOnce
  }

  /** Opens a listing at its first row. */
  static async open<Row extends object, V>(tx: ReadTx<V>, listing: Listing): Promise<Cursor<Row>> {
    const read = (last: Row | undefined): Promise<Row[]> =>
      tx.all<Row>(portionAfter(tx.dialect, listing, last))
    const cursor = new Cursor<Row>(read, rowsAtOnce(listing))
    cursor.#ask(undefined)
    await cursor.#load()
    return cursor
  }

  /** The present row; undefined after the last one. */
  get head(): Row | undefined {
    return this.#rows[this.#at]
  }

  /** Goes on to the next row. Returns a promise only at the end of a portion. */
  advance(): Promise<void> | undefined {
    this.#at += 1
    return this.#at < this.#rows.length ? undefined : this.#load()
  }

  async #load(): Promise<void> {
    const rows = (await this.#next) ?? []
    this.#rows = rows
    this.#at = 0
    // The database reads the next portion while the caller works on this one.
    if (rows.length === this.#atOnce) this.#ask(rows.at(-1))
    else this.#next = undefined
  }

  #ask(last: Row | undefined): void {
    this.#next = this.#read(last)
    // `#load` throws the error.
    this.#next.catch(() => undefined)
  }
}

/** All rows of a listing. */
export async function* rowsIn<Row extends object, V>(tx: ReadTx<V>, listing: Listing): AsyncGenerator<Row> {
  const cursor = await Cursor.open<Row, V>(tx, listing)
  for (let row = cursor.head; row !== undefined; row = cursor.head) {
    yield row
    const pending = cursor.advance()
    if (pending !== undefined) await pending
  }
}

function portionAfter(dialect: Dialect, listing: Listing, last: object | undefined): Sql {
  const { table, columns, key, index = 'PRIMARY', tagId, large = false } = listing
  const conditions = [
    ...(tagId === undefined ? [] : [sql`tag_id = ${tagId}`]),
    ...(last === undefined ? [] : [isAfter(dialect, key, last as Readonly<Record<string, Bindable>>)]),
  ]
  const where = conditions.length === 0 ? raw('') : sql`WHERE ${join(conditions, ' AND ')}`
  return sql`
    SELECT ${raw(columns.join(', '))} FROM ${raw(table)} ${large ? dialect.useKeyOfLarge : dialect.useIndex(index)} ${where}
    ORDER BY ${raw(key.join(', '))} LIMIT ${raw(String(rowsAtOnce(listing)))}`
}

/** SQL that is true for the rows after `last`: SQLite uses an index for a row comparison, MariaDB only for ranges. */
function isAfter(dialect: Dialect, key: readonly string[], last: Readonly<Record<string, Bindable>>): Sql {
  const valueOf = (column: string): Bindable => last[column] ?? null
  if (dialect.name === 'sqlite') {
    const values = join(
      key.map((column) => sql`${valueOf(column)}`),
      ', ',
    )
    return sql`(${raw(key.join(', '))}) > (${values})`
  }
  const ranges = key.map((column, i) => {
    const same = key.slice(0, i).map((earlier) => sql`${raw(earlier)} = ${valueOf(earlier)}`)
    return sql`(${join([...same, sql`${raw(column)} > ${valueOf(column)}`], ' AND ')})`
  })
  return sql`(${join(ranges, ' OR ')})`
}
