/** MySQL: what runs on one connection of the driver. */
import {
  createConnection,
  type Connection as Driver,
  type ConnectionOptions,
  type ResultSetHeader,
} from 'mysql2'
import type { Connection, Purpose } from './connections.ts'
import { ID_BYTES } from './ids.ts'
import { MERGES } from './id-sets.ts'
import { MYSQL, raw, sql, type InsertEach, type Sql } from './sql.ts'

const CONNECT_MS = 10_000
/** The store tries again by itself, so a statement need not wait for a lock as long as the server would let it. */
const LOCK_WAIT_SECONDS = 2

/** What the driver is told of a database URL. */
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

/** Prepares a session for its purpose; `done` is given what goes wrong, if anything does. */
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
  // Probes go by key, object by object. The planner would rather read a whole tag first.
  `optimizer_switch = 'semijoin=off,materialization=off'`,
]
/**
 * MariaDB would make a table of a long list of keys, and go through a whole tag to join it. Comments like this are for it
 * alone.
 */
const MARIADB_SETTING = '/*M!100500 , in_predicate_conversion_threshold = 0 */'

/** Connects without a pool; `lost` is called when the connection is of no more use. */
export function connectMysql(
  databaseUrl: string,
  purpose: Purpose,
  lost: () => void,
): { readonly connection: Connection; readonly ready: Promise<void> } {
  const driver = createConnection(mysqlOptions(databaseUrl))
  driver.on('error', lost)
  const ready = new Promise<void>((resolve, reject) => {
    configure(driver, purpose, (error) => {
      if (error === null) resolve()
      else reject(error)
    })
  })
  // Whoever waits for it is told.
  ready.catch(() => undefined)
  return { connection: mysqlConnection(driver), ready }
}

/** Statements that a connection keeps prepared, and the most values of one that is worth it: others vary too much. */
const PREPARED_STATEMENTS = 200
const MOST_VALUES_PREPARED = 16

/** A connection that the driver has made. */
export function mysqlConnection(connection: Driver): Connection {
  const query = <Result>({ text, values }: Sql): Promise<Result> =>
    new Promise((resolve, reject) => {
      const bound = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value))
      const done = (error: Error | null, result: unknown): void => {
        if (error === null) resolve(result as Result)
        else reject(error)
      }
      if (bound.length > 0 && bound.length <= MOST_VALUES_PREPARED) connection.execute(text, bound, done)
      else connection.query(text, bound, done)
    })
  const run = async (statement: Sql): Promise<number> =>
    (await query<ResultSetHeader>(statement)).affectedRows
  // Row by row into bytes: an array of a million rows takes three times as long and four times the memory.
  const ids = (statement: Sql): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const packed = new PackedIds()
      connection
        .query({ sql: statement.text, values: [...statement.values], rowsAsArray: true })
        .on('result', (row) => {
          packed.add((row as unknown as [Buffer])[0])
        })
        .on('error', reject)
        .on('end', () => {
          resolve(packed.bytes())
        })
    })
  return {
    dialect: MYSQL,
    merge: (merge, a, b) => Promise.resolve(MERGES[merge](a, b)),
    all: <Row>(statement: Sql) => query<Row[]>(statement),
    run,
    ids,
    // Sorted by the server: here it would hold up all others.
    sortedIds: (statement, most) => ids(sql`${statement} ORDER BY object_id LIMIT ${raw(String(most))}`),
    insertEach: async (insert, ids) => {
      let rows = 0
      for (let at = 0; at < ids.length; at += EACH_AT_ONCE * ID_BYTES) {
        rows += await run(literalInsert(insert, ids.subarray(at, at + EACH_AT_ONCE * ID_BYTES)))
      }
      return rows
    },
  }
}

/** Rows of one INSERT that is written out: some 300 KB, far below what a server takes as one packet. */
const EACH_AT_ONCE = 2000

/** An INSERT as literals: rows that differ in nothing but the object are put together faster than bound. */
function literalInsert({ table, columns, values, conflict }: InsertEach, ids: Buffer): Sql {
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
  return raw(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples.join(',')} ${conflict}`)
}

const literal = (value: number | Buffer | null): string => {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `x'${value.toString('hex')}'`
}

/** Bytes that grow by doubling. */
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
