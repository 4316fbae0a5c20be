/** Opens a store and prints reports, for the subcommands that maintain a store. */
import { existsSync } from 'node:fs'
import { sqlitePath } from '../../src/data/database/sqlite/sqlite-file.ts'
import { requireKeptStore } from '../../src/data/maintenance/kept.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { ServiceError } from '../../src/model/errors.ts'
import { Failure } from '../../common/failure.ts'
import type { Config } from '../../src/settings/config.ts'
import { readSettings, startingFailure } from '../settings/settings.ts'

/** Prints a line of a report. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/**
 * Runs `work` on the store in the settings, and returns the exit status that `work` returns. The store must exist, be
 * complete and have the schema of this version. With `mayBeNew`, the function creates a missing SQLite file with its
 * tables. Throws a `Failure` for every error.
 */
export async function onStore(
  work: (store: Store, config: Config) => Promise<number>,
  { mayBeNew = false } = {},
): Promise<number> {
  const config = readSettings()
  if (!mayBeNew) requireFile(config.databaseUrl)
  const store = createStore(config.databaseUrl)
  try {
    if (!mayBeNew) await requireKeptStore(store)
    else if (isMissing(config.databaseUrl)) await store.migrate()
    return await work(store, config)
  } catch (error) {
    throw startingFailure(error instanceof ServiceError ? (error.cause ?? error) : error, config)
  } finally {
    await store.close()
  }
}

/** Throws a `Failure` if an SQLite file does not exist. */
export function requireFile(databaseUrl: string): void {
  if (isMissing(databaseUrl)) {
    const file = sqlitePath(databaseUrl)
    throw new Failure(`DATABASE_URL: there is no file '${file}'`, 'name the file that the service uses')
  }
}

const isMissing = (databaseUrl: string): boolean =>
  databaseUrl.startsWith('sqlite:') && !existsSync(sqlitePath(databaseUrl))
