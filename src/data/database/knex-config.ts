/** How knex keeps connections for each kind of database and each purpose. */
import { createRequire } from 'node:module'
import knexFactory, { type Knex } from 'knex'
import type { Purpose } from './connection/connection.ts'
import { driverOptions, readMysqlUrl } from './mysql/mysql-address.ts'
import { Hosts } from './mysql/mysql-hosts.ts'
import { Session } from './mysql/mysql-session.ts'
import { openSession } from './mysql/mysql-settings.ts'
import * as sqlite from './sqlite/sqlite.ts'
import type { SqliteDatabase } from './sqlite/sqlite-file.ts'
import type { Opening } from './threads/thread-messages.ts'
import { ConnectionThread } from './threads/threads.ts'
import { waitsFor } from './connection/waits.ts'

const ignore = (): void => undefined

/** knex would print errors although it also throws them. */
const SILENT = { warn: ignore, error: ignore, deprecate: ignore, debug: ignore }

/**
 * How many may scan at once in a process, and how many scans may run beyond the first one of each. Each scan may hold
 * two sets of a million ids.
 */
export const SCAN_PLACES = { parties: 2, further: 1 }
const SCANS = SCAN_PLACES.parties + SCAN_PLACES.further

/** The maximum number of connections per process. */
export const MAX_CONNECTIONS: Readonly<Record<'sqlite' | 'mysql', Readonly<Record<Purpose, number>>>> = {
  sqlite: { glance: 1, read: 8, scan: SCANS, write: 1, row: 1, migrate: 1 },
  // One that migrates, and one that says so meanwhile.
  mysql: { glance: 10, read: 6, scan: SCANS, write: 6, row: 6, migrate: 2 },
}

/** The knex configuration for a database URL: `sqlite:<file>`, or one of `mysql-address.ts`. */
export function knexConfig(
  databaseUrl: string,
  purpose: Purpose = 'migrate',
  waits = waitsFor(0),
): Knex.Config {
  const engine = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'mysql'
  const { pool, ...rest } = CONFIGS[engine][purpose]({ databaseUrl, purpose, waits })
  return {
    ...rest,
    pool: { ...pool, min: 0, max: MAX_CONNECTIONS[engine][purpose], createTimeoutMillis: waits.place },
    log: SILENT,
    acquireConnectionTimeout: waits.place,
  }
}

/** Whether knex, or a transaction of it, works on SQLite. */
export const isSqlite = (knex: Knex): boolean =>
  (knex.client as { driverName: string }).driverName === 'better-sqlite3'

/** Connections with a thread of their own. */
const inThreads = (opening: Opening): Knex.Config => ({
  client: ThreadClient,
  connection: opening as object,
})

const inSessions = (opening: Opening): Knex.Config => ({
  client: SessionClient,
  connection: opening as object,
})

const inThisThread = (opening: Opening): Knex.Config => ({
  client: FileClient,
  connection: opening as object,
  useNullAsDefault: true,
})

/** For knex's own statements. A pool connects by sessions instead, to whichever host serves. */
function mysqlConfig({ databaseUrl }: Opening): Knex.Config {
  const { hosts, ...rest } = readMysqlUrl(databaseUrl)
  return { client: 'mysql2', connection: driverOptions({ ...rest, host: hosts[0] }) }
}

/**
 * What runs in threads: everything that may take long, and on SQLite also commits, which wait for the disk. Migrations
 * are written in knex's language.
 */
const CONFIGS: Readonly<
  Record<'sqlite' | 'mysql', Readonly<Record<Purpose, (opening: Opening) => Knex.Config>>>
> = {
  sqlite: {
    glance: inThisThread,
    read: inThisThread,
    scan: inThreads,
    write: inThreads,
    row: inThreads,
    migrate: inThisThread,
  },
  mysql: {
    glance: inSessions,
    read: inSessions,
    scan: inThreads,
    write: inSessions,
    row: inSessions,
    migrate: mysqlConfig,
  },
}

const SqliteClient = createRequire(import.meta.url)(
  'knex/lib/dialects/better-sqlite3/index.js',
) as typeof knexFactory.Client

/** knex's dialect of SQLite, with connections that are opened as those of the threads are. */
class FileClient extends SqliteClient {
  override acquireRawConnection(): Promise<SqliteDatabase> {
    const { databaseUrl, purpose } = this.connectionSettings as unknown as Opening
    return Promise.resolve(sqlite.open(databaseUrl, purpose))
  }
}

/** A connection of ours, not of a dialect of knex. */
export type Own = ConnectionThread | Session

export const isOwn = (driver: object): driver is Own =>
  driver instanceof ConnectionThread || driver instanceof Session

/** knex's pool with connections of ours. */
abstract class OwnClient extends knexFactory.Client {
  override destroyRawConnection(own: Own): Promise<void> {
    return own.close()
  }

  override validateConnection(own: Own): Promise<boolean> {
    return Promise.resolve(own.isUsable)
  }

  _driver(): object {
    return {}
  }
}
// Not a field: the base class's constructor creates a pool, and only if the client has a driver name by then.
Object.assign(OwnClient.prototype, { driverName: 'own' })

class ThreadClient extends OwnClient {
  override acquireRawConnection(): Promise<ConnectionThread> {
    const opening = this.connectionSettings as unknown as Opening
    const ofSqlite = opening.databaseUrl.startsWith('sqlite:')
    const inUse = ofSqlite ? undefined : Hosts.of(opening.databaseUrl).inUse
    return Promise.resolve(new ConnectionThread(opening, inUse))
  }
}

class SessionClient extends OwnClient {
  override acquireRawConnection(): Promise<Session> {
    const { databaseUrl, purpose, waits } = this.connectionSettings as unknown as Opening
    return openSession(databaseUrl, purpose, waits)
  }
}
