/** The two kinds of database behind one interface: knex keeps the connections, statements run on the driver. */
import type { Connection as MysqlDriver } from 'mysql2'
import knexFactory, { type Knex } from 'knex'
import { commandedConnection } from './commands.ts'
import type { IdSet, Merge } from './id-sets.ts'
import * as mysql from './mysql.ts'
import { MYSQL, SQLITE, type Dialect, type InsertEach, type Sql } from './sql.ts'
import * as sqlite from './sqlite.ts'
import { ConnectionThread, type Opening } from './threads.ts'

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
  /** Makes one set of two, which are of no use afterwards, where that holds up nobody else. */
  merge(merge: Merge, a: IdSet, b: IdSet): Promise<IdSet>
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

/** What connections are for, which decides about isolation, locks and how many there are. */
export type Purpose = 'read' | 'scan' | 'write' | 'migrate'

/** How many connections a process has at most. Of scans, each may hold two sets of a million ids. */
const MOST: Readonly<Record<'sqlite' | 'mysql', Readonly<Record<Purpose, number>>>> = {
  sqlite: { read: 8, scan: 2, write: 1, migrate: 1 },
  mysql: { read: 8, scan: 3, write: 8, migrate: 1 },
}

/** The knex configuration for a database URL: `sqlite:<file>` or `mysql://user:password@host:port/database`. */
export function knexConfig(databaseUrl: string, purpose: Purpose = 'migrate'): Knex.Config {
  const kind = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'mysql'
  const configOf = IN_THREADS[kind].has(purpose) ? inThreads : kind === 'sqlite' ? sqliteConfig : mysqlConfig
  const { pool, ...rest } = configOf(databaseUrl, purpose)
  return {
    ...rest,
    pool: { ...pool, min: 0, max: MOST[kind][purpose] },
    log: SILENT,
    acquireConnectionTimeout: purpose === 'scan' ? SCAN_WAIT_MS : POOL_WAIT_MS,
  }
}

/** What gets a thread: whatever may take long, and on SQLite a commit, which waits for the disk. */
const IN_THREADS: Readonly<Record<'sqlite' | 'mysql', ReadonlySet<Purpose>>> = {
  sqlite: new Set(['scan', 'write']),
  mysql: new Set(['scan']),
}

const inThreads = (databaseUrl: string, purpose: Purpose): Knex.Config => ({
  client: ThreadClient,
  connection: { databaseUrl, purpose } as object,
})

const sqliteConfig = (databaseUrl: string, purpose: Purpose): Knex.Config => ({
  client: 'better-sqlite3',
  connection: { filename: sqlite.sqliteFile(databaseUrl) },
  useNullAsDefault: true,
  pool: {
    afterCreate: (db: sqlite.SqliteDatabase, done: (error: unknown, db: sqlite.SqliteDatabase) => void) => {
      sqlite.configure(db, purpose)
      done(null, db)
    },
  },
})

const mysqlConfig = (databaseUrl: string, purpose: Purpose): Knex.Config => ({
  client: 'mysql2',
  connection: mysql.mysqlOptions(databaseUrl),
  pool: {
    afterCreate: (driver: MysqlDriver, done: (error: unknown, driver: MysqlDriver) => void) => {
      mysql.configure(driver, purpose, (error) => {
        done(error, driver)
      })
    },
  },
})

/** knex's pool, with connections that have threads of their own. */
class ThreadClient extends knexFactory.Client {
  override acquireRawConnection(): Promise<ConnectionThread> {
    return Promise.resolve(new ConnectionThread(this.connectionSettings as unknown as Opening))
  }

  override destroyRawConnection(thread: ConnectionThread): Promise<void> {
    return thread.close()
  }

  override validateConnection(thread: ConnectionThread): Promise<boolean> {
    return Promise.resolve(!thread.ended)
  }

  _driver(): object {
    return {}
  }
}
// Not a field: the constructor of the base makes a pool, and only for a client that has this by then.
Object.assign(ThreadClient.prototype, { driverName: 'thread' })

/** Opens a pool; connections are made when they are first needed. */
export function openPool(databaseUrl: string, purpose: Purpose): Pool {
  const knex = knexFactory(knexConfig(databaseUrl, purpose))
  const wrapped = new WeakMap<object, Connection>()
  const raw = new WeakMap<Connection, object>()
  const client = knex.client as {
    acquireConnection(): Promise<object>
    releaseConnection(connection: object): Promise<void>
  }
  const dialect = databaseUrl.startsWith('sqlite:') ? SQLITE : MYSQL
  return {
    knex,
    async acquire() {
      const driver = await client.acquireConnection()
      const connection = wrapped.get(driver) ?? connectionOf(driver, dialect)
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

function connectionOf(driver: object, dialect: Dialect): Connection {
  if (driver instanceof ConnectionThread) {
    return commandedConnection(dialect, (command) => driver.execute(command))
  }
  if (dialect === MYSQL) return mysql.mysqlConnection(driver as MysqlDriver)
  const execute = sqlite.executor(driver as sqlite.SqliteDatabase)
  // Not an arrow alone: what the driver throws must become a rejection.
  return commandedConnection(dialect, async (command) => execute(command))
}
