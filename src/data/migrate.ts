/** Schema migrations, run by `npm start`, by `npm run migrate` and by the knex command alike. */
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

/** Brings the schema up to date. Another process that is at it is waited for, about a minute at the most. */
export async function migrate(knex: Knex): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await knex.migrate.latest({ migrationSource })
      return
    } catch (error) {
      if (!isRace(error) || tries === TRIES) throw error
      await sleep(PAUSE_MS * Math.random())
      await mendLock(knex)
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
