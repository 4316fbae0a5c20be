/** Opens a store and prints reports, for the subcommands that maintain a store. */
import { existsSync } from 'node:fs'
import { sqlitePath } from '../../src/data/database/sqlite/sqlite-file.ts'
import { requireKeptStore } from '../../src/data/maintenance/kept.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { fitOf, type Fit, type Use } from '../../src/data/store/versions.ts'
import { ServiceError } from '../../src/model/errors.ts'
import { Failure } from '../../common/failure.ts'
import type { Config } from '../../src/settings/config.ts'
import { readSettings, startingFailure } from '../settings/settings.ts'

/** Prints a line of a report. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)

interface Needs {
  /** What the work is, if it needs an existing and complete store. */
  readonly use?: Use
  /** A missing SQLite file is created with its tables. */
  readonly mayBeNew?: boolean
}

/** What the work on a store knows besides it. */
export interface Given {
  readonly config: Config
  readonly fit: Fit
}

/**
 * Runs `work` on the store in the settings, and returns the exit status that `work` returns. The store must exist, be
 * complete and have a schema that this version can use so, unless it `mayBeNew`. Throws a `Failure` for every error.
 */
export async function onStore(
  work: (store: Store, given: Given) => Promise<number>,
  { use = 'check', mayBeNew = false }: Needs = {},
): Promise<number> {
  const config = readSettings()
  if (!mayBeNew) requireFile(config.databaseUrl)
  const store = createStore(config.databaseUrl)
  try {
    if (!mayBeNew) return await work(store, { config, fit: await requireKeptStore(store, use) })
    if (isMissing(config.databaseUrl)) await store.migrate()
    return await work(store, { config, fit: fitOf([]) })
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
