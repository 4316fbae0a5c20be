/** What the programs that keep a store in order have in common: opening it, and saying what went wrong. */
import { existsSync } from 'node:fs'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { readConfig, type Config } from './config.ts'
import { sqlitePath } from './data/database/sqlite.ts'
import { requireKeptStore } from './data/keeping/kept.ts'
import { createStore, type Store } from './data/store/store.ts'
import { ServiceError } from './errors.ts'
import { startFailure } from './start-failure.ts'

/** The status of a program that has not done what it should; 1 is for a store or a file that is not in order. */
const FAILED = 2

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints how much there is of each kind, a line each. */
export function printCounts(counts: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(counts)) {
    print(`  ${kind.padEnd(10)} ${count.toLocaleString('en')}`)
  }
}

/** What follows the name of a program. Ends the process if it is not understood. */
export function readOptions<T extends ParseArgsOptionsConfig>(options: T) {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return fail((error as Error).message)
  }
}

/** Ends the process, and says why. */
export function fail(why: string, status = FAILED): never {
  process.stderr.write(`${why}\n`)
  process.exit(status)
}

/**
 * Runs `work` on the store that the environment names, and ends with the status that it returns. The store must be there,
 * complete and of this version, unless it `mayBeNew`.
 */
export async function onStore(
  work: (store: Store) => Promise<number>,
  { mayBeNew = false } = {},
): Promise<void> {
  const config = configuration()
  if (!mayBeNew) requireFile(config.databaseUrl)
  const store = createStore(config.databaseUrl)
  try {
    if (!mayBeNew) await requireKeptStore(store)
    process.exitCode = await work(store)
  } catch (error) {
    process.exitCode = FAILED
    const cause = error instanceof ServiceError ? (error.cause ?? error) : error
    process.stderr.write(`${startFailure(cause, config)}\n`)
  } finally {
    await store.close()
  }
}

/** To open a file of SQLite that is not there would create it. */
function requireFile(databaseUrl: string): void {
  if (!databaseUrl.startsWith('sqlite:')) return
  const file = sqlitePath(databaseUrl)
  if (!existsSync(file)) fail(`DATABASE_URL: there is no file '${file}'`)
}

function configuration(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return fail((error as Error).message)
  }
}
