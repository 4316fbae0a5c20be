/** What the subcommands that keep a store in order have in common: opening it, and printing what they counted. */
import { existsSync } from 'node:fs'
import { sqlitePath } from '../../src/data/database/sqlite/sqlite-file.ts'
import { requireKeptStore } from '../../src/data/maintenance/kept.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { ServiceError } from '../../src/model/errors.ts'
import { Failure } from '../../shared/failure.ts'
import { tell } from '../terminal/terminal.ts'
import { readSettings, startingFailure } from '../settings/settings.ts'

/** Prints a line of a report. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Says how much there is of each kind, a line each. */
export function tellCounts(counts: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(counts)) {
    tell(`  ${kind.padEnd(10)} ${count.toLocaleString('en')}`)
  }
}

/**
 * Runs `work` on the store that the settings name, and returns the status that it returns. The store must be there,
 * complete and of this version, unless it `mayBeNew`: then a missing file of SQLite is made, with its tables. Throws a
 * `Failure` for whatever goes wrong.
 */
export async function onStore(
  work: (store: Store) => Promise<number>,
  { mayBeNew = false } = {},
): Promise<number> {
  const config = readSettings()
  if (!mayBeNew) requireFile(config.databaseUrl)
  const store = createStore(config.databaseUrl)
  try {
    if (!mayBeNew) await requireKeptStore(store)
    else if (isMissing(config.databaseUrl)) await store.migrate()
    return await work(store)
  } catch (error) {
    throw startingFailure(error instanceof ServiceError ? (error.cause ?? error) : error, config)
  } finally {
    await store.close()
  }
}

/** Throws a `Failure` if a file of SQLite is not there. */
export function requireFile(databaseUrl: string): void {
  if (isMissing(databaseUrl)) {
    const file = sqlitePath(databaseUrl)
    throw new Failure(`DATABASE_URL: there is no file '${file}'`, 'name the file that the service uses')
  }
}

const isMissing = (databaseUrl: string): boolean =>
  databaseUrl.startsWith('sqlite:') && !existsSync(sqlitePath(databaseUrl))
