/** MySQL: runs commands in a session. */
import type { FieldPacket, ResultSetHeader } from 'mysql2'
import type { BoundStatement, Command, Execute, InsertRows } from '../connection/connection.ts'
import type { InsertEach } from '../connection/dialects.ts'
import { mergeIds } from '../ids/id-set-merging.ts'
import { ID_BYTES } from '../ids/ids.ts'
import type { Session } from './mysql-session.ts'
import { insertText, type Bindable } from '../connection/sql.ts'

/** How many values a prepared statement may have: the texts of statements with more values vary too much. */
const MAX_VALUES_PREPARED = 24

/** Returns a function that runs commands in a session. */
export function executor(session: Session): Execute {
  return async (command: Command) => {
    switch (command.do) {
      case 'all':
        return query(session, command, command.patient)
      case 'run':
        return touched(await query(session, command, command.patient))
      case 'ids':
        return packedIds(session, command, command.patient)
      case 'sortedIds': {
        // The server sorts: sorting in this thread would hold up all other requests.
        const text = sortedWithin(command.text, command.limit)
        return packedIds(session, { text, values: command.values }, command.patient)
      }
      case 'insert':
        return touched(await query(session, insertOf(command), command.patient))
      case 'insertEach':
        return insertEach(session, command.insert, command.ids, command.patient)
      case 'merge':
        return mergeIds(command.merge, command.a, command.b)
    }
  }
}

/** The server copies this many rows quickly, while there may be a million more to read and sort. */
const MOST_COPIED = 10_000

/** A statement for the sorted ids of another, or for any `limit` of them. A small limit applies before the server sorts. */
const sortedWithin = (text: string, limit: number): string =>
  limit <= MOST_COPIED
    ? `SELECT object_id FROM (${text} LIMIT ${String(limit)}) few ORDER BY object_id`
    : `${text} ORDER BY object_id LIMIT ${String(limit)}`

function query(session: Session, { text, values }: BoundStatement, patient?: boolean): Promise<unknown> {
  return session.ask<unknown>((driver, done) => {
    const few = values.length > 0 && values.length <= MAX_VALUES_PREPARED
    const checked: Answer = (error, result, fields) => {
      done(error ?? textColumn(text, fields), result)
    }
    if (few) driver.execute(text, [...values], checked)
    // Without `values: null` the driver would look for placeholders in the whole text.
    else driver.query({ sql: writtenOut(text, values), values: null }, checked)
  }, patient)
}

/** How the driver answers; there are no fields where a statement returns no rows. */
type Answer = (error: Error | null, result: unknown, fields: readonly FieldPacket[] | undefined) => void

/**
 * The types of columns whose values are bytes if the character set is `binary`, and text otherwise: VARCHAR, the four kinds of
 * BLOB, VAR_STRING and STRING, as the protocol of MySQL numbers them.
 */
const OF_STRINGS: ReadonlySet<number | undefined> = new Set([15, 249, 250, 251, 252, 253, 254])
const BINARY = 63

/**
 * An error if a column is text. No table has a text column, so a server that sends text has converted bytes, and may have
 * lost some: MySQL does so from 8.0.22 on with a parameter that a statement returns. Only EXPLAIN and SHOW return text about
 * the server itself.
 */
function textColumn(text: string, fields: readonly FieldPacket[] = []): Error | null {
  const found = fields.find(({ type, characterSet }) => OF_STRINGS.has(type) && characterSet !== BINARY)
  return found === undefined || /^(?:EXPLAIN|SHOW) /.test(text)
    ? null
    : new Error(`the database returns text in place of bytes as ${found.name} of: ${text}`)
}

/** A statement with literals for its values: the driver would take several times as long to write them. */
function writtenOut(text: string, values: readonly Bindable[]): string {
  if (values.length === 0) return text
  const [start = '', ...rest] = text.split('?')
  return rest.reduce((written, part, i) => written + literal(values[i] ?? null) + part, start)
}

const touched = (result: unknown): number => (result as ResultSetHeader).affectedRows

/** Packs rows into bytes as they arrive: an array of a million rows takes three times as long and four times the memory. */
function packedIds(session: Session, { text, values }: BoundStatement, patient?: boolean): Promise<Buffer> {
  return session.ask<Buffer>((driver, done) => {
    const packed = new PackedIds()
    let failure: Error | null = null
    driver
      .query({ sql: text, values: [...values], rowsAsArray: true })
      .on('result', (row) => {
        const [id] = row as unknown as [unknown]
        // An exception here would end the connection.
        if (Buffer.isBuffer(id) && id.length === ID_BYTES) packed.add(id)
        else failure ??= new TypeError(`the database returns no id of 16 bytes: ${text}`)
      })
      .on('error', done)
      .on('end', () => {
        done(failure, packed.bytes())
      })
  }, patient)
}

/** An INSERT of rows. A few rows are bound; many rows are written as literals, which takes less time. */
function insertOf({ table, columns, cells, conflict }: InsertRows): BoundStatement {
  const width = columns.length
  if (cells.length <= MAX_VALUES_PREPARED) {
    const text = insertText(table, columns, cells.length / width, conflict)
    return { text, values: cells.map((cell) => (typeof cell === 'string' ? Buffer.from(cell) : cell)) }
  }
  let tuples = ''
  const above: string[] = []
  for (let at = 0; at < cells.length; at++) {
    const place = at % width
    // Rows in the order of a key share many values with the row above.
    if (at < width || cells[at] !== cells[at - width]) above[place] = literal(cells[at] as Bindable)
    if (place === width - 1) tuples += `${tuples === '' ? '' : ','}(${above.join(',')})`
  }
  return { text: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples} ${conflict}`, values: [] }
}

/** Rows per written-out INSERT: about 300 KB, far below the largest packet that a server accepts. */
const EACH_AT_ONCE = 2000

async function insertEach(
  session: Session,
  insert: InsertEach,
  ids: Buffer,
  patient?: boolean,
): Promise<number> {
  let rows = 0
  for (let at = 0; at < ids.length; at += EACH_AT_ONCE * ID_BYTES) {
    const text = literalInsert(insert, ids.subarray(at, at + EACH_AT_ONCE * ID_BYTES))
    rows += touched(await query(session, { text, values: [] }, patient))
  }
  return rows
}

/** An INSERT made of literals: rows that differ only in the object are faster to write out than to bind. */
function literalInsert({ table, columns, values, conflict }: InsertEach, ids: Buffer): string {
  const place = columns.indexOf('object_id')
  const literals = columns.map((column) => literal(values[column] ?? null))
  const before = literals
    .slice(0, place)
    .map((text) => `${text},`)
    .join('')
  const after = literals
    .slice(place + 1)
    .map((text) => `,${text}`)
    .join('')
  const hex = ids.toString('hex')
  const tuples: string[] = []
  for (let at = 0; at < hex.length; at += 2 * ID_BYTES) {
    tuples.push(`(${before}x'${hex.slice(at, at + 2 * ID_BYTES)}'${after})`)
  }
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples.join(',')} ${conflict}`
}

const literal = (value: Bindable): string => {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  return `x'${(typeof value === 'string' ? Buffer.from(value) : value).toString('hex')}'`
}

/** A buffer that doubles its size as it grows. */
class PackedIds {
  #bytes = Buffer.allocUnsafe(1024)
  #length = 0

  add(id: Buffer): void {
    if (this.#length + id.length > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2)
    }
    this.#length += id.copy(this.#bytes, this.#length)
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
