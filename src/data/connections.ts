/** The two kinds of database behind one interface: knex keeps the connections, statements run on the driver. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Connection as MysqlConnection, ResultSetHeader } from 'mysql2'
import knexFactory, { type Knex } from 'knex'
import { MYSQL, SQLITE, type Dialect, type Sql } from './sql.ts'

/** As much of better-sqlite3, which comes without types, as is used here. */
interface SqliteDatabase {
  pragma(text: string): unknown
  prepare(text: string): SqliteStatement
}

interface SqliteStatement {
  all(...values: unknown[]): unknown[]
  get(...values: unknown[]): unknown
  run(...values: unknown[]): { readonly changes: number }
}

/** One connection to the database, in the hands of one transaction at a time. */
export interface Connection {
  readonly dialect: Dialect
  /** Runs a statement that returns rows. Columns of bytes come as Buffers, numbers as numbers. */
  all<Row>(statement: Sql): Promise<Row[]>
  /** Runs a statement that returns none; gives the number of rows that the database says it touched. */
  run(statement: Sql): Promise<number>
  /** The ids, 16 bytes each, that a statement with the one column `object_id` returns, in its order. */
  ids(statement: Sql): Promise<Buffer>
}

/** Connections of one purpose: all readers, or all writers. */
export interface Pool {
  acquire(): Promise<Connection>
  /** Gives a connection back; one in an unknown state (`broken`) is closed instead of used again. */
  release(connection: Connection, broken?: boolean): Promise<void>
  readonly knex: Knex
  close(): Promise<void>
}

/** What went wrong, in the database's own words, as far as the service must tell one from another. */
export type Failure = 'conflict' | 'lost' | 'unavailable' | 'other'

const CONFLICTS = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'ER_DUP_ENTRY',
  'SQLITE_BUSY',
])
const LOST = new Set(['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE', 'ER_SERVER_SHUTDOWN'])
const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'ER_CON_COUNT_ERROR',
  'ER_UNKNOWN_COM_ERROR',
  'ER_LOCK_ABORTED',
  'POOL_ENQUEUELIMIT',
])

/** Sorts an error of the driver or the pool. A duplicate key means that another writer was first: a conflict. */
export function failureOf(error: unknown): Failure {
  const { code, name, message } = error as { code?: string; name?: string; message?: string }
  if (code !== undefined && (CONFLICTS.has(code) || code.startsWith('SQLITE_BUSY'))) return 'conflict'
  if (code !== undefined && LOST.has(code)) return 'lost'
  if (name === 'KnexTimeoutError' || (code !== undefined && UNAVAILABLE.has(code))) return 'unavailable'
  return message?.includes('closed state') === true ? 'lost' : 'other'
}

/** knex would print what goes wrong; here whoever asked is told instead. */
const SILENT = { warn: ignore, error: ignore, deprecate: ignore, debug: ignore }

function ignore(): void {
  // Told elsewhere.
}

const POOL_WAIT_MS = 10_000
/** The store tries again by itself, so a statement need not wait for a lock as long as the server would let it. */
const LOCK_WAIT_SECONDS = 2
const READERS = 8
const WRITERS = 8

/** What connections are for, which decides about isolation, locks and how many there are. */
export type Purpose = 'read' | 'write' | 'migrate'

/** The knex configuration for a database URL: `sqlite:<file>` or `mysql://user:password@host:port/database`. */
export function knexConfig(databaseUrl: string, purpose: Purpose = 'migrate'): Knex.Config {
  return databaseUrl.startsWith('sqlite:')
    ? sqliteConfig(databaseUrl, purpose)
    : mysqlConfig(databaseUrl, purpose)
}

function sqliteConfig(databaseUrl: string, purpose: Purpose): Knex.Config {
  const filename = databaseUrl.slice('sqlite:'.length)
  mkdirSync(dirname(filename), { recursive: true })
  const afterCreate = (db: SqliteDatabase, done: (error: unknown, db: SqliteDatabase) => void): void => {
    // The driver waits for a lock inside the call and stops the process. The store tries again, outside of it; knex
    // would not, but nothing is served yet while it migrates.
    db.pragma(`busy_timeout = ${purpose === 'migrate' ? '10000' : '50'}`)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('cache_size = -65536')
    db.pragma('wal_autocheckpoint = 10000')
    done(null, db)
  }
  return {
    client: 'better-sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    log: SILENT,
    acquireConnectionTimeout: POOL_WAIT_MS,
    pool: { min: 0, max: purpose === 'read' ? READERS : 1, afterCreate },
  }
}

function mysqlConfig(databaseUrl: string, purpose: Purpose): Knex.Config {
  const url = new URL(databaseUrl)
  // A reader's transaction is one snapshot; writers take no gap locks and see what others have committed.
  const isolation = purpose === 'read' ? 'REPEATABLE READ' : 'READ COMMITTED'
  const afterCreate = (
    connection: MysqlConnection,
    done: (error: unknown, db: MysqlConnection) => void,
  ): void => {
    // Commands of one connection run in order; should the first fail, the connection is of no use anyway.
    connection.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`)
    connection.query(`SET SESSION innodb_lock_wait_timeout = ${String(LOCK_WAIT_SECONDS)}`)
    connection.query(`SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`, (error) => {
      done(error, connection)
    })
  }
  return {
    client: 'mysql2',
    log: SILENT,
    connection: {
      host: url.hostname,
      port: url.port === '' ? 3306 : Number(url.port),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)),
      charset: 'utf8mb4',
      connectTimeout: POOL_WAIT_MS,
    },
    acquireConnectionTimeout: POOL_WAIT_MS,
    pool: { min: 0, max: purpose === 'read' ? READERS : WRITERS, afterCreate },
  }
}

/** Opens a pool; connections are made when they are first needed. */
export function openPool(databaseUrl: string, purpose: Purpose): Pool {
  const knex = knexFactory(knexConfig(databaseUrl, purpose))
  const wrapped = new Map<object, Connection>()
  const raw = new WeakMap<Connection, object>()
  const client = knex.client as {
    acquireConnection(): Promise<object>
    releaseConnection(connection: object): Promise<void>
  }
  const wrap = databaseUrl.startsWith('sqlite:')
    ? (driver: object): Connection => sqliteConnection(driver as SqliteDatabase)
    : (driver: object): Connection => mysqlConnection(driver as MysqlConnection)
  return {
    knex,
    async acquire() {
      const driver = await client.acquireConnection()
      const connection = wrapped.get(driver) ?? wrap(driver)
      wrapped.set(driver, connection)
      raw.set(connection, driver)
      return connection
    },
    async release(connection, broken = false) {
      const driver = raw.get(connection)
      if (driver === undefined) return
      if (broken) {
        // knex's own mark for a connection that its pool must not hand out again.
        Object.assign(driver, { __knex__disposed: new Error('left in an unknown state') })
        wrapped.delete(driver)
      }
      await client.releaseConnection(driver)
    },
    close: () => knex.destroy(),
  }
}

const PREPARED_STATEMENTS = 500

function sqliteConnection(db: SqliteDatabase): Connection {
  const prepared = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    if (prepared.size >= PREPARED_STATEMENTS) prepared.clear()
    const statement = db.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  const bound = (statement: Sql): unknown[] =>
    statement.values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value))
  return {
    dialect: SQLITE,
    all: async <Row>(statement: Sql) => prepare(statement.text).all(...bound(statement)) as Row[],
    run: async (statement) => prepare(statement.text).run(...bound(statement)).changes,
    // One text of hexadecimal digits leaves SQLite five times faster than a million rows.
    ids: async (statement) => {
      const text = `SELECT group_concat(hex(object_id), '') AS ids FROM (${statement.text})`
      const row = prepare(text).get(...bound(statement)) as { ids: string | null }
      return Buffer.from(row.ids ?? '', 'hex')
    },
  }
}

function mysqlConnection(connection: MysqlConnection): Connection {
  const query = <Result>(statement: Sql): Promise<Result> =>
    new Promise((resolve, reject) => {
      const values = statement.values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value))
      connection.query(statement.text, values, (error, result) => {
        if (error === null) resolve(result as Result)
        else reject(error)
      })
    })
  return {
    dialect: MYSQL,
    all: <Row>(statement: Sql) => query<Row[]>(statement),
    run: async (statement) => (await query<ResultSetHeader>(statement)).affectedRows,
    // Row by row into bytes: an array of a million rows takes three times as long and four times the memory.
    ids: (statement) =>
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
      }),
  }
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
