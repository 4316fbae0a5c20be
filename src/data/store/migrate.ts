/** Schema migrations, run by `npm start`, `npm run migrate` and the knex command. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import * as initial from './migrations/0001-initial.ts'
import * as valueBounds from './migrations/0002-value-bounds.ts'

const MIGRATIONS: Record<string, Knex.Migration> = {
  '0001-initial': initial,
  '0002-value-bounds': valueBounds,
}

/** Tells knex the migrations by name: its own names hold the file's ending, which differs once compiled. */
export const migrationSource: Knex.MigrationSource<{ file: string }> = {
  getMigrations: () => Promise.resolve(Object.keys(MIGRATIONS).map((file) => ({ file }))),
  getMigrationName: ({ file }) => file,
  getMigration: ({ file }) => {
    const migration = MIGRATIONS[file]
    return migration === undefined
      ? Promise.reject(new Error(`no migration ${file}`))
      : Promise.resolve(migration)
  },
}

const TRIES = 120
const PAUSE_MS = 1000
const LOCK_TABLE = 'knex_migrations_lock'

/**
 * The last migration that this process has begun. SQLite waits for a lock inside the call: two at once in one thread
 * would stop each other until one gives up.
 */
let last: Promise<void> = Promise.resolve()

/** Brings the schema up to date. If another process is doing so, waits about a minute at most. */
export function migrate(knex: Knex): Promise<void> {
  const own = last.then(() => migrateAlone(knex))
  last = own.catch(() => undefined)
  return own
}

async function migrateAlone(knex: Knex): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      if (tries > 1) await mendLock(knex)
      // A schema that is up to date is only read: a restart takes no lock, and minds none.
      const [, pending] = (await knex.migrate.list({ migrationSource })) as [unknown[], unknown[]]
      if (pending.length > 0) await knex.migrate.latest({ migrationSource })
      return
    } catch (error) {
      if (!isRace(error) || tries === TRIES) throw error
      await sleep(PAUSE_MS * Math.random())
    }
  }
}

/** Two processes that start on an empty database may also meet while they make knex's own tables. */
function isRace(error: unknown): boolean {
  const { name, code, message } = error as { name?: string; code?: string; message?: string }
  return (
    name === 'MigrationLocked' ||
    code === 'ER_TABLE_EXISTS_ERROR' ||
    code === 'ER_DUP_ENTRY' ||
    code?.startsWith('SQLITE_BUSY') === true ||
    message?.includes('already exists') === true
  )
}

/**
 * Two processes that make knex's tables at the same moment both put a row into its lock, which opens for exactly one
 * row: with two it would stay shut for ever.
 */
async function mendLock(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasTable(LOCK_TABLE))) return
  const [first, ...others] = await knex<{ index: number }>(LOCK_TABLE).orderBy('index')
  if (first !== undefined && others.length > 0) await knex(LOCK_TABLE).where('index', '>', first.index).del()
}
