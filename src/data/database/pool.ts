/** Pools of connections: knex keeps them, and statements run on the drivers below it. */
import type { Connection as MysqlDriver } from 'mysql2'
import knexFactory, { type Knex } from 'knex'
import { Connection, type Purpose } from './connection.ts'
import { MYSQL, SQLITE, type Dialect } from './dialects.ts'
import * as mysql from './mysql.ts'
import * as sqlite from './sqlite.ts'
import type { Opening } from './thread-messages.ts'
import { ConnectionThread } from './threads.ts'
import { notingWait } from '../../usage.ts'

/** The connections for one purpose, such as all readers or all writers. */
export interface Pool {
  acquire(): Promise<Connection>
  /** Returns a connection; one in an unknown state (`broken`) is closed instead of reused. */
  release(connection: Connection, broken?: boolean): Promise<void>
  readonly knex: Knex
  load(): Load
  close(): Promise<void>
}

/** How many places of a kind are taken, and how many requests wait for one. */
export interface Load {
  readonly taken: number
  readonly waiting: number
}

const ignore = (): void => undefined

/** knex would print errors although it also throws them. */
const SILENT = { warn: ignore, error: ignore, deprecate: ignore, debug: ignore }

const POOL_WAIT_MS = 10_000

/**
 * How many may scan at once in a process, and how many scans may run beyond the first one of each. Each scan may hold
 * two sets of a million ids.
 */
export const SCAN_PLACES = { parties: 2, further: 1 }
const SCANS = SCAN_PLACES.parties + SCAN_PLACES.further

/** The maximum number of connections per process. */
const MAX_CONNECTIONS: Readonly<Record<'sqlite' | 'mysql', Readonly<Record<Purpose, number>>>> = {
  sqlite: { read: 8, scan: SCANS, write: 1, migrate: 1 },
  mysql: { read: 8, scan: SCANS, write: 8, migrate: 1 },
}

/** The knex configuration for a database URL: `sqlite:<file>` or `mysql://user:password@host:port/database`. */
export function knexConfig(databaseUrl: string, purpose: Purpose = 'migrate'): Knex.Config {
  const engine = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'mysql'
  const configOf = IN_THREADS[engine].has(purpose)
    ? inThreads
    : engine === 'sqlite'
      ? sqliteConfig
      : mysqlConfig
  const { pool, ...rest } = configOf(databaseUrl, purpose)
  return {
    ...rest,
    pool: { ...pool, min: 0, max: MAX_CONNECTIONS[engine][purpose] },
    log: SILENT,
    acquireConnectionTimeout: POOL_WAIT_MS,
  }
}

/** What runs in threads: everything that may take long, and on SQLite also commits, which wait for the disk. */
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
  connection: { filename: fileFor(databaseUrl, purpose) },
  useNullAsDefault: true,
  pool: {
    afterCreate: (db: sqlite.SqliteDatabase, done: (error: unknown, db: sqlite.SqliteDatabase) => void) => {
      sqlite.configure(db, purpose)
      done(null, db)
    },
  },
})

function fileFor(databaseUrl: string, purpose: Purpose): string {
  const file = sqlite.sqliteFile(databaseUrl)
  // Once, when the service starts: earlier versions created files that others may read.
  if (purpose === 'migrate') sqlite.closeToOthers(file)
  return file
}

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

/** knex's pool, with connections that run in their own threads. */
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
// Not a field: the base class's constructor creates a pool, and only if the client has a driver name by then.
Object.assign(ThreadClient.prototype, { driverName: 'thread' })

/** Opens a pool; connections are made when they are first needed. */
export function openPool(databaseUrl: string, purpose: Purpose): Pool {
  const knex = knexFactory(knexConfig(databaseUrl, purpose))
  const connections = new WeakMap<object, Connection>()
  const drivers = new WeakMap<Connection, object>()
  const client = knex.client as {
    acquireConnection(): Promise<object>
    releaseConnection(connection: object): Promise<void>
    readonly pool: { numUsed(): number; numPendingAcquires(): number }
  }
  const dialect = databaseUrl.startsWith('sqlite:') ? SQLITE : MYSQL
  return {
    knex,
    async acquire() {
      const driver = await notingWait(() => client.acquireConnection())
      const connection = connections.get(driver) ?? connectionOn(driver, databaseUrl, dialect)
      connections.set(driver, connection)
      drivers.set(connection, driver)
      return connection
    },
    async release(connection, broken = false) {
      const driver = drivers.get(connection)
      if (driver === undefined) return
      if (broken) {
        // knex's own mark for a connection that its pool must not hand out again.
        Object.assign(driver, { __knex__disposed: new Error('left in an unknown state') })
        connections.delete(driver)
      }
      await client.releaseConnection(driver)
    },
    load: () => ({ taken: client.pool.numUsed(), waiting: client.pool.numPendingAcquires() }),
    close: () => knex.destroy(),
  }
}

function connectionOn(driver: object, databaseUrl: string, dialect: Dialect): Connection {
  if (driver instanceof ConnectionThread) {
    return new Connection(
      dialect,
      (command) => driver.execute(command),
      () => driver.interrupt(),
    )
  }
  if (dialect === MYSQL) {
    const connection = driver as MysqlDriver
    return new Connection(dialect, mysql.executor(connection), mysql.interrupter(connection, databaseUrl))
  }
  const execute = sqlite.executor(driver as sqlite.SqliteDatabase)
  // `async`, so that an exception from the driver becomes a rejection. Nothing is running when this thread could stop it.
  return new Connection(
    dialect,
    async (command) => execute(command),
    () => Promise.resolve(),
  )
}
