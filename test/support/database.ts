/** A new, empty database for a test file, on the kind of server that the jest project tests. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection, type Connection } from 'mysql2/promise'
import { driverOptions, readMysqlUrl } from '../../src/data/database/mysql/mysql-address.ts'
import { waitsFor, type Waits } from '../../src/data/database/connection/waits.ts'
import type { Engine } from './engines.ts'

/** A database with a function that drops it. */
export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** The kinds of database that the tests run on. */
export type DatabaseKind = 'sqlite' | 'mysql'

/** The kind in jest's `globals.database`; SQLite by default. */
const kindOfProject = (): DatabaseKind => (globalThis as { database?: DatabaseKind }).database ?? 'sqlite'

/** The private server of the jest project, for tests that start more of them; MariaDB in projects without one. */
export const engineOfProject = (): Engine => (globalThis as { engine?: Engine }).engine ?? 'mariadb'

/** Creates a database; one on MySQL is created on the server at `TEST_DATABASE_URL`. */
export function freshDatabase(kind = kindOfProject()): Promise<FreshDatabase> {
  return kind === 'mysql' ? freshMysqlDatabase() : freshSqliteDatabase()
}

async function freshSqliteDatabase(): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'gloss-test-'))
  return {
    url: `sqlite:${join(folder, 'gloss.db')}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}

async function freshMysqlDatabase(): Promise<FreshDatabase> {
  // The URL for the project of the current test file (run-in-node.ts).
  const server = process.env.TEST_DATABASE_URL
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: did the global set-up run?')
  const name = `gloss_test_${randomBytes(8).toString('hex')}`
  await execute(server, `CREATE DATABASE ${name}`)
  const url = Object.assign(new URL(server), { pathname: `/${name}` })
  return { url: url.href, drop: () => execute(server, `DROP DATABASE ${name}`) }
}

/** Connects to a server. Its URL determines the encryption. */
export function connectTo(server: string): Promise<Connection> {
  const { hosts, ...rest } = readMysqlUrl(
    Object.assign(new URL(server), { pathname: '/information_schema' }).href,
  )
  return createConnection(driverOptions({ ...rest, host: hosts[0] }))
}

async function execute(server: string, statement: string): Promise<void> {
  const connection = await connectTo(server)
  try {
    await connection.query(statement)
  } finally {
    await connection.end()
  }
}

const MINUTES_MS = 600_000

/** Only tests of waiting should depend on the speed of the machine. */
export const PATIENT: Waits = {
  ...waitsFor(0),
  connect: MINUTES_MS,
  statement: MINUTES_MS,
  longStatement: MINUTES_MS,
}
