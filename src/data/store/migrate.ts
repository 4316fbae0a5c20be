/** Schema migrations, run by `npm start`, `npm run migrate` and the knex command. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import * as initial from './migrations/0001-initial.ts'
import { MigrationLock } from './migration-lock.ts'

const MIGRATIONS: Record<string, Knex.Migration> = { '0001-initial': initial }

/** The names of all migrations, in their order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS)
/** The last migration: the name of the schema that this version works on. */
export const SCHEMA = MIGRATION_NAMES.at(-1) ?? ''

/**
 * The migrations of a store after which this version cannot use it. A migration that only adds something that older versions
 * do not need, such as a table, an index, or a column with a default, has `add` behind its number
 * (docs/decisions/0142-operators.md).
 */
export const tooNew = (names: readonly string[]): string[] =>
  names.filter((name) => !MIGRATION_NAMES.includes(name) && !/^\d+-add-/.test(name))

/** Whether this version knows a schema: its own, or an earlier one. */
export const isKnownSchema = (name: string): boolean => Object.hasOwn(MIGRATIONS, name)

/** Knex's names of the migrations: its default names include the file extension, which differs after compilation. */
export const migrationSource: Knex.MigrationSource<{ file: string }> = {
  getMigrations: () => Promise.resolve(MIGRATION_NAMES.map((file) => ({ file }))),
  getMigrationName: ({ file }) => file,
  getMigration: ({ file }) => {
    const migration = MIGRATIONS[file]
    return migration === undefined
      ? Promise.reject(new Error(`no migration ${file}`))
      : Promise.resolve(migration)
  },
}

/** Describes a store with migrations that this version does not know. */
export const newer = (unknown: readonly string[]): string =>
  `newer than this version, which does not know ${unknown.join(', ')}`

/** Without this option Knex refuses a store with an unknown migration, even one that only adds. */
const OPTIONS = { migrationSource, disableMigrationsListValidation: true }

const TRIES = 120
const PAUSE_MS = 1000

/**
 * The most recent migration of this process. SQLite waits for a lock inside the call: two migrations at once in one
 * thread would block each other until one gives up.
 */
let last: Promise<void> = Promise.resolve()

/**
 * Brings the schema up to date. If another process is doing so, waits up to about a minute; if that process has died,
 * continues from where it stopped.
 */
export function migrate(knex: Knex): Promise<void> {
  const own = last.then(() => migrateAlone(knex))
  last = own.catch(() => undefined)
  return own
}

async function migrateAlone(knex: Knex): Promise<void> {
  const lock = new MigrationLock(knex)
  for (let tries = 1; ; tries++) {
    try {
      if (tries > 1) await lock.look()
      // If the schema is up to date, this only reads it: a restart takes no lock, and ignores an existing one.
      const [done, pending] = (await knex.migrate.list(OPTIONS)) as [{ name: string }[], unknown[]]
      const unknown = tooNew(done.map(({ name }) => name))
      if (unknown.length > 0)
        throw new Error(`the schema of the store is ${newer(unknown)}: run the version that made it`)
      if (pending.length > 0)
        await lock.held((taken) => knex.migrate.latest({ ...OPTIONS, beforeAll: async () => taken() }))
      return
    } catch (error) {
      if (!isRace(error) || tries === TRIES) throw error
      await sleep(PAUSE_MS * Math.random())
    }
  }
}

/** Two processes that start on an empty database may also collide while they create Knex's own tables. */
function isRace(error: unknown): boolean {
  const { name, code, message } = error as { name?: string; code?: string; message?: string }
  return (
    name === 'MigrationLocked' ||
    code === 'ER_TABLE_EXISTS_ERROR' ||
    code === 'ER_DUP_ENTRY' ||
    code?.startsWith('SQLITE_BUSY') === true ||
    (code === 'SQLITE_ERROR' && message?.includes('already exists') === true)
  )
}
