/** MySQL: how to run commands on one connection of the driver. */
import {
  createConnection,
  type Connection as Driver,
  type ConnectionOptions,
  type ResultSetHeader,
} from 'mysql2'
import type { BoundStatement, Command, Execute, InsertRows, Interrupt, Purpose } from './connection.ts'
import type { InsertEach } from './dialects.ts'
import { mergeIds } from './id-set-merging.ts'
import { ID_BYTES } from './ids.ts'
import { insertText, type Bindable } from './sql.ts'

const CONNECT_MS = 10_000
/** The store retries by itself, so a statement need not wait for a lock as long as the server would let it. */
const LOCK_WAIT_SECONDS = 2

/** The driver's options for a database URL. */
export function mysqlOptions(databaseUrl: string) {
  const url = new URL(databaseUrl)
  return {
    host: url.hostname,
    port: url.port === '' ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    charset: 'utf8mb4',
    connectTimeout: CONNECT_MS,
    maxPreparedStatements: PREPARED_STATEMENTS,
  } satisfies ConnectionOptions
}

/** Prepares a session for its purpose; `done` receives the error if anything goes wrong, else null. */
export function configure(driver: Driver, purpose: Purpose, done: (error: Error | null) => void): void {
  // A reader's transaction is one snapshot; writers take no gap locks and see what others have committed.
  const isolation = purpose === 'read' || purpose === 'scan' ? 'REPEATABLE READ' : 'READ COMMITTED'
  driver.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`, (error) => {
    if (error === null) driver.query(`SET ${SETTINGS.join(', ')} ${MARIADB_SETTING}`, done)
    else done(error)
  })
}

const SETTINGS = [
  `sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`,
  'autocommit = 1',
  `innodb_lock_wait_timeout = ${String(LOCK_WAIT_SECONDS)}`,
  // Probes look up one object after the other by key. The planner would rather read a whole tag first.
  `optimizer_switch = 'semijoin=off,materialization=off'`,
]
/**
 * MariaDB would turn a long list of keys into a table, and read a whole tag to join it. Only MariaDB executes comments
 * like this.
 */
const MARIADB_SETTING = '/*M!100500 , in_predicate_conversion_threshold = 0 */'

/** Connects without a pool; `lost` is called when the connection can no longer be used. */
export function connectMysql(
  databaseUrl: string,
  purpose: Purpose,
  lost: () => void,
): { execute: Execute; interrupt: Interrupt } {
  const driver = createConnection(mysqlOptions(databaseUrl))
  driver.on('error', lost)
  const execute = executor(driver)
  const ready = new Promise<void>((resolve, reject) => {
    configure(driver, purpose, (error) => {
      if (error === null) resolve()
      else reject(error)
    })
  })
  // Each command waits for this promise, and fails if it fails.
  ready.catch(() => undefined)
  return {
    execute: (command) => ready.then(() => execute(command)),
    interrupt: () => ready.then(interrupter(driver, databaseUrl), () => undefined),
  }
}

/**
 * Ends a connection and what it is doing, by a further connection, since the first one is busy. To end the statement
 * alone would miss one that has been sent but not begun.
 */
export function interrupter(driver: Driver, databaseUrl: string): Interrupt {
  return () =>
    new Promise((resolve) => {
      const other = createConnection(mysqlOptions(databaseUrl))
      const done = (): void => {
        other.destroy()
        resolve()
      }
      // Whoever cannot connect cannot stop anything: then the statement runs to its end.
      other.on('error', done)
      other.query(`KILL ${String(driver.threadId)}`, done)
    })
}

/** How many prepared statements a connection keeps, and how many values one may have: longer ones vary too much. */
const PREPARED_STATEMENTS = 200
const MAX_VALUES_PREPARED = 24

/** Runs commands on a connection that the driver has made. */
export function executor(driver: Driver): Execute {
  return async (command: Command) => {
    switch (command.do) {
      case 'all':
        return query(driver, command)
      case 'run':
        return touched(await query(driver, command))
      case 'ids':
        return packedIds(driver, command.text, command.values)
      case 'sortedIds': {
        // The server sorts: sorting here would hold up everybody else.
        const text = `${command.text} ORDER BY object_id LIMIT ${String(command.limit)}`
        return packedIds(driver, text, command.values)
      }
      case 'insert':
        return touched(await query(driver, insertOf(command)))
      case 'insertEach':
        return insertEach(driver, command.insert, command.ids)
      case 'merge':
        return mergeIds(command.merge, command.a, command.b)
    }
  }
}

function query(driver: Driver, { text, values }: BoundStatement): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: unknown): void => {
      if (error === null) resolve(result)
      else reject(error)
    }
    const few = values.length > 0 && values.length <= MAX_VALUES_PREPARED
    if (few) driver.execute(text, [...values], done)
    else driver.query(writtenOut(text, values), done)
  })
}

/** A statement with literals for its values: the driver would take several times as long to write them. */
function writtenOut(text: string, values: readonly Bindable[]): string {
  if (values.length === 0) return text
  const [start = '', ...rest] = text.split('?')
  return rest.reduce((written, part, i) => written + literal(values[i] ?? null) + part, start)
}

const touched = (result: unknown): number => (result as ResultSetHeader).affectedRows

/**
 * Packs rows into bytes as they arrive: an array of a million rows takes three times as long and four times the memory.
 */
function packedIds(driver: Driver, text: string, values: BoundStatement['values']): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const packed = new PackedIds()
    driver
      .query({ sql: text, values: [...values], rowsAsArray: true })
      .on('result', (row) => {
        packed.add((row as unknown as [Buffer])[0])
      })
      .on('error', reject)
      .on('end', () => {
        resolve(packed.bytes())
      })
  })
}

/** An INSERT of rows: of a few bound ones, or made of literals, which takes less time for many. */
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
    // Rows in the order of a key share much of it with the row above.
    if (at < width || cells[at] !== cells[at - width]) above[place] = literal(cells[at] as Bindable)
    if (place === width - 1) tuples += `${tuples === '' ? '' : ','}(${above.join(',')})`
  }
  return { text: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples} ${conflict}`, values: [] }
}

/** Rows per written-out INSERT: about 300 KB, far below the largest packet that a server accepts. */
const EACH_AT_ONCE = 2000

async function insertEach(driver: Driver, insert: InsertEach, ids: Buffer): Promise<number> {
  let rows = 0
  for (let at = 0; at < ids.length; at += EACH_AT_ONCE * ID_BYTES) {
    const text = literalInsert(insert, ids.subarray(at, at + EACH_AT_ONCE * ID_BYTES))
    rows += touched(await query(driver, { text, values: [] }))
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
