/** Schema migrations, run by `npm start`, `npm run migrate` and the knex command. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { MigrationLock } from './migration-lock.ts'
import { MIGRATIONS, type Migration, type Migrations } from './migrations/index.ts'
import { BEGUN, fitOf, onlyAdds } from './versions.ts'

const TABLE = 'knex_migrations'

/** Knex's names of the migrations: its default names include the file extension, which differs after compilation. */
const sourceOf = (migrations: Migrations): Knex.MigrationSource<string> => ({
  getMigrations: () => Promise.resolve(Object.keys(migrations)),
  getMigrationName: (name) => name,
  getMigration: (name) => {
    const migration = migrations[name]
    return migration === undefined
      ? Promise.reject(new Error(`no migration ${name}`))
      : Promise.resolve({ ...migration, up: (knex) => run(knex, name, migration) })
  },
})

/** The migrations of this version. */
export const migrationSource = sourceOf(MIGRATIONS)

/** Runs a migration. An error has its name as `migration`. */
async function run(knex: Knex, name: string, migration: Migration): Promise<void> {
  try {
    if (!onlyAdds(name)) await begin(knex, name)
    await migration.up(knex)
  } catch (error) {
    throw Object.assign(error as Error, { migration: name })
  }
}

/** Records that a migration begins that does more than add. A new store has no older version to keep away. */
async function begin(knex: Knex, name: string): Promise<void> {
  const begun = name + BEGUN
  const rows = await knex<{ name: string }>(TABLE).select('name')
  if (rows.length > 0 && !rows.some((row) => row.name === begun))
    await knex(TABLE).insert({ name: begun, batch: 0, migration_time: new Date() })
}

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
export function migrate(knex: Knex, migrations = MIGRATIONS): Promise<void> {
  const own = last.then(() => migrateAlone(knex, migrations))
  last = own.catch(() => undefined)
  return own
}

async function migrateAlone(knex: Knex, migrations: Migrations): Promise<void> {
  // Without the last option Knex refuses a store with an unknown migration, even one that only adds.
  const options = { migrationSource: sourceOf(migrations), disableMigrationsListValidation: true }
  const lock = new MigrationLock(knex)
  for (let tries = 1; ; tries++) {
    try {
      if (tries > 1) await lock.look()
      // If the schema is up to date, this only reads it: a restart takes no lock, and ignores an existing one.
      const [done] = (await knex.migrate.list(options)) as [{ name: string }[], unknown[]]
      const fit = fitOf(
        done.map(({ name }) => name),
        Object.keys(migrations),
      )
      if (fit.relation === 'newer')
        throw new Error(`the schema of the store is ${fit.obstacle ?? ''}: run the version that made it`)
      if (fit.pending.length > 0)
        await lock.held((taken) => knex.migrate.latest({ ...options, beforeAll: async () => taken() }))
      return
    } catch (error) {
      if (!isRace(error) || tries === TRIES) throw error
      await sleep(PAUSE_MS * Math.random())
    }
  }
}

/**
 * Two processes that start on an empty database may also collide while they create Knex's own tables. Duplicates that a
 * migration itself meets stay.
 */
function isRace(error: unknown): boolean {
  const { name, code, message, migration } = error as Partial<
    Record<'name' | 'code' | 'message' | 'migration', string>
  >
  return (
    name === 'MigrationLocked' ||
    code === 'ER_TABLE_EXISTS_ERROR' ||
    (code === 'ER_DUP_ENTRY' && migration === undefined) ||
    code?.startsWith('SQLITE_BUSY') === true ||
    (code === 'SQLITE_ERROR' && message?.includes('already exists') === true)
  )
}
