/** The two kinds of database behind one interface: knex keeps the connections, statements run on the driver. */
import { mkdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Connection as MysqlConnection, ResultSetHeader } from 'mysql2'
import knexFactory, { type Knex } from 'knex'
import { ID_BYTES } from './ids.ts'
import { MYSQL, raw, sql, type Dialect, type InsertEach, type Sql } from './sql.ts'
import { configure, executor, sqliteConnection, SqliteThread, type SqliteDatabase } from './sqlite.ts'

/** One connection to the database, in the hands of one transaction at a time. */
export interface Connection {
  readonly dialect: Dialect
  /** Runs a statement that returns rows. Columns of bytes come as Buffers, numbers as numbers. */
  all<Row>(statement: Sql): Promise<Row[]>
  /** Runs a statement that returns none; gives the number of rows that the database says it touched. */
  run(statement: Sql): Promise<number>
  /** The ids, 16 bytes each, that a statement with the one column `object_id` returns, in its order. */
  ids(statement: Sql): Promise<Buffer>
  /** The same sorted, of the first `most` that a statement returns in no order. */
  sortedIds(statement: Sql, most: number): Promise<Buffer>
  /** Inserts one row for each of the `ids` (16 bytes each). */
  insertEach(insert: InsertEach, ids: Buffer): Promise<number>
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
  'SQLITE_CONSTRAINT_PRIMARYKEY',
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
  const { code: given, name, message } = error as { code?: unknown; name?: string; message?: string }
  // Errors of the platform have numbers there.
  const code = typeof given === 'string' ? given : undefined
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
/** Work that takes long may also wait long for its turn. */
const SCAN_WAIT_MS = 60_000
/** The store tries again by itself, so a statement need not wait for a lock as long as the server would let it. */
const LOCK_WAIT_SECONDS = 2

/** What connections are for, which decides about isolation, locks and how many there are. */
export type Purpose = 'read' | 'scan' | 'write' | 'migrate'

/** How many connections a process has at most. Of scans, each may hold two sets of a million ids. */
const MOST: Readonly<Record<'sqlite' | 'mysql', Readonly<Record<Purpose, number>>>> = {
  sqlite: { read: 8, scan: 2, write: 1, migrate: 1 },
  mysql: { read: 8, scan: 4, write: 8, migrate: 1 },
}

/** The knex configuration for a database URL: `sqlite:<file>` or `mysql://user:password@host:port/database`. */
export function knexConfig(databaseUrl: string, purpose: Purpose = 'migrate'): Knex.Config {
  const sqlite = databaseUrl.startsWith('sqlite:')
  const max = MOST[sqlite ? 'sqlite' : 'mysql'][purpose]
  return {
    ...(sqlite ? sqliteConfig(databaseUrl, purpose, max) : mysqlConfig(databaseUrl, purpose, max)),
    log: SILENT,
    acquireConnectionTimeout: purpose === 'scan' ? SCAN_WAIT_MS : POOL_WAIT_MS,
  }
}

/**
 * The driver waits for a lock inside the call and stops the thread. The store tries again, outside of it; knex would
 * not, but nothing is served yet while it migrates.
 */
const BUSY_MS = 50
const BUSY_MIGRATING_MS = 10_000

/** What one connection keeps of a database; the rest is in the cache of the system. */
const CACHE_MIB: Readonly<Record<Purpose, number>> = { read: 8, scan: 48, write: 64, migrate: 8 }

function sqliteConfig(databaseUrl: string, purpose: Purpose, max: number): Knex.Config {
  const filename = databaseUrl.slice('sqlite:'.length)
  mkdirSync(dirname(filename), { recursive: true })
  const useNullAsDefault = true
  const connection = { filename, cacheMib: CACHE_MIB[purpose] }
  if (purpose === 'scan' || purpose === 'write') {
    return { client: ThreadClient, connection, useNullAsDefault, pool: { min: 0, max } }
  }
  const afterCreate = (db: SqliteDatabase, done: (error: unknown, db: SqliteDatabase) => void): void => {
    configure(db, purpose === 'migrate' ? BUSY_MIGRATING_MS : BUSY_MS, CACHE_MIB[purpose])
    done(null, db)
  }
  return { client: 'better-sqlite3', connection, useNullAsDefault, pool: { min: 0, max, afterCreate } }
}

/** knex's pool, with connections that have threads of their own. */
class ThreadClient extends knexFactory.Client {
  override acquireRawConnection(): Promise<SqliteThread> {
    const { filename, cacheMib } = this.connectionSettings as { filename: string; cacheMib: number }
    return Promise.resolve(new SqliteThread(filename, BUSY_MS, cacheMib))
  }

  override destroyRawConnection(thread: SqliteThread): Promise<void> {
    return thread.close()
  }

  override validateConnection(): Promise<boolean> {
    return Promise.resolve(true)
  }

  _driver(): object {
    return {}
  }
}
// Not a field: the constructor of the base makes a pool, and only for a client that has this by then.
Object.assign(ThreadClient.prototype, { driverName: 'sqlite-thread' })

function mysqlConfig(databaseUrl: string, purpose: Purpose, max: number): Knex.Config {
  const url = new URL(databaseUrl)
  // A reader's transaction is one snapshot; writers take no gap locks and see what others have committed.
  const isolation = purpose === 'read' || purpose === 'scan' ? 'REPEATABLE READ' : 'READ COMMITTED'
  const afterCreate = (
    connection: MysqlConnection,
    done: (error: unknown, db: MysqlConnection) => void,
  ): void => {
    if (purpose === 'scan') takeTurns(connection)
    // Commands of one connection run in order; should the first fail, the connection is of no use anyway.
    connection.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`)
    // Probes go by key, object by object. The planner would rather read a whole tag first.
    connection.query(`SET SESSION optimizer_switch = 'semijoin=off,materialization=off'`)
    connection.query(`SET SESSION innodb_lock_wait_timeout = ${String(LOCK_WAIT_SECONDS)}`)
    // MariaDB would make a table of a long list of keys, and go through a whole tag to join it. The comment is for it alone.
    connection.query('SET SESSION autocommit = 1 /*M!100500 , in_predicate_conversion_threshold = 0 */')
    connection.query(`SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`, (error) => {
      done(error, connection)
    })
  }
  return {
    client: 'mysql2',
    connection: {
      host: url.hostname,
      port: url.port === '' ? 3306 : Number(url.port),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)),
      charset: 'utf8mb4',
      connectTimeout: POOL_WAIT_MS,
      maxPreparedStatements: PREPARED_STATEMENTS,
    },
    pool: { min: 0, max, afterCreate },
  }
}

/**
 * Lets others have their turn after each piece that arrives. As long as more has arrived the system would hand on up to
 * two megabytes, which is a hundred milliseconds of rows.
 */
function takeTurns(connection: MysqlConnection): void {
  const { stream } = connection as unknown as { stream: Socket }
  stream.on('data', () => {
    stream.pause()
    setImmediate(() => stream.resume())
  })
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
    ? wrapSqlite
    : (driver: object) => mysqlConnection(driver as MysqlConnection)
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

function wrapSqlite(driver: object): Connection {
  if (driver instanceof SqliteThread) return sqliteConnection((command) => driver.execute(command))
  const execute = executor(driver as SqliteDatabase)
  // Not an async arrow alone: what the driver throws must become a rejection.
  return sqliteConnection(async (command) => execute(command))
}

/** Statements that a connection keeps prepared, and the most values of one that is worth it: others vary too much. */
const PREPARED_STATEMENTS = 200
const MOST_VALUES_PREPARED = 16

function mysqlConnection(connection: MysqlConnection): Connection {
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
