/** Opens the store at the start. */
import { existsSync } from 'node:fs'
import { sql } from '../data/database/connection/sql.ts'
import { sqlitePath } from '../data/database/sqlite/sqlite-file.ts'
import { bootstrap } from '../data/entities/bootstrap.ts'
import { firstIn } from '../data/maintenance/kept.ts'
import { requireProofs, tryProofs } from '../data/store/engine-proofs.ts'
import { createStore, type DatabaseStore, type Store } from '../data/store/store.ts'
import type { Config } from '../settings/config.ts'
import { setFirstPassword } from './first-password.ts'
import { whereabouts } from './start-failure.ts'

type Print = (line: string) => void

/** The store, with its schema up to date and its built-in data. Throws if there is none and the settings refuse a new one. */
export async function openUpToDate(config: Config, print: Print): Promise<DatabaseStore> {
  const store = createStore(config.databaseUrl, config.queryTimeoutMs)
  try {
    await migrate(store, config, print)
    requireProofs(await tryProofs(config.databaseUrl))
    await bootstrap(store)
    await setFirstPassword(store, config, print)
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

/** Brings the schema up to date, and prints a line if there was none. Throws if the settings refuse a new store. */
export async function migrate(
  store: Store,
  { databaseUrl, newStore }: Pick<Config, 'databaseUrl' | 'newStore'>,
  print: Print,
): Promise<void> {
  const isNew = !(await isThere(store, databaseUrl))
  const where = whereabouts(databaseUrl)
  if (isNew && newStore === 'refuse')
    throw new Error(
      `There is no store in ${where}, and NEW_STORE=refuse: correct DATABASE_URL, or make a new store by gloss serve --new or gloss migrate --new`,
    )
  await store.migrate()
  if (isNew) print(`This is a new store, in ${where}`)
}

/** Whether a database has tables of a store. True also for a file that cannot be read: its migration says why. */
async function isThere(store: Store, databaseUrl: string): Promise<boolean> {
  const find = async (): Promise<boolean> =>
    (await firstIn(store, sql`SELECT 1 AS found FROM knex_migrations LIMIT 1`)) !== undefined
  if (!databaseUrl.startsWith('sqlite:')) return find()
  return existsSync(sqlitePath(databaseUrl)) && (await find().catch(() => true))
}
