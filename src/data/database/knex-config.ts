/** How Knex keeps connections for each kind of database and each purpose. */
import type { Knex } from 'knex'
import type { Purpose } from './connection/connection.ts'
import { Demotion } from './demotion.ts'
import {
  MysqlClient,
  MysqlMigrator,
  SqliteClient,
  SqliteMigrator,
  type ClientOpening,
} from './knex-clients.ts'
import { waitsFor, type Waits } from './connection/waits.ts'

const ignore = (): void => undefined

/** Knex would print errors although it also throws them. */
const SILENT = { warn: ignore, error: ignore, deprecate: ignore, debug: ignore }

/**
 * How many parties may scan at once in a process, and how many scans may run beyond the first one of each. Each scan may
 * hold two sets of a million ids.
 */
export const SCAN_PLACES = { parties: 2, further: 1 }
const SCANS = SCAN_PLACES.parties + SCAN_PLACES.further

/** The maximum number of connections per process. */
export const MAX_CONNECTIONS: Readonly<Record<'sqlite' | 'mysql', Readonly<Record<Purpose, number>>>> = {
  sqlite: { lookup: 1, read: 8, scan: SCANS, write: 1, row: 1, migrate: 1 },
  // One connection migrates, and one reports progress meanwhile.
  mysql: { lookup: 10, read: 6, scan: SCANS, write: 6, row: 6, migrate: 2 },
}

/** The options that the pools of one store share. */
export interface PoolsOptions {
  readonly waits: Waits
  readonly demotion: Demotion
}

/** The Knex configuration for a database URL: `sqlite:<file>`, or one of `mysql-address.ts`. */
export function knexConfig(
  databaseUrl: string,
  purpose: Purpose = 'migrate',
  { waits, demotion }: PoolsOptions = { waits: waitsFor(0), demotion: new Demotion() },
): Knex.Config {
  const engine = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'mysql'
  const opening: ClientOpening = {
    databaseUrl,
    purpose,
    waits,
    demotion,
    inThread: IN_THREADS[engine].has(purpose),
  }
  return {
    client: CLIENTS[engine][purpose === 'migrate' ? 'migrate' : 'serve'],
    connection: opening as object,
    useNullAsDefault: true,
    pool: { min: 0, max: MAX_CONNECTIONS[engine][purpose], createTimeoutMillis: waits.place },
    log: SILENT,
    acquireConnectionTimeout: waits.place,
  }
}

/** Whether Knex, or a transaction of it, works on SQLite. */
export const isSqlite = (knex: Knex): boolean =>
  (knex.client as { driverName: string }).driverName === 'better-sqlite3'

const CLIENTS = {
  sqlite: { serve: SqliteClient, migrate: SqliteMigrator },
  mysql: { serve: MysqlClient, migrate: MysqlMigrator },
}

/** The purposes with threads: those that may take long, and on SQLite also commits, which wait for the disk. */
const IN_THREADS: Readonly<Record<'sqlite' | 'mysql', ReadonlySet<Purpose>>> = {
  sqlite: new Set<Purpose>(['scan', 'write', 'row']),
  mysql: new Set<Purpose>(['scan']),
}
