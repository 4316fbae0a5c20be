/** `gloss migrate`: updates the schema, for deployments that do so before they start an instance. */
import { onceReachable } from '../../src/data/database/reachable.ts'
import { openProbe } from '../../src/data/database/probe.ts'
import { MIGRATION_NAMES, tooNew } from '../../src/data/store/migrate.ts'
import { appliedMigrations } from '../../src/data/store/store-check.ts'
import { createStore } from '../../src/data/store/store.ts'
import { bootstrap } from '../../src/data/entities/bootstrap.ts'
import { migrate } from '../../src/process/opening.ts'
import { startFailure } from '../../src/process/start-failure.ts'
import type { Config } from '../../src/settings/config.ts'
import { STATUS } from '../../common/failure.ts'
import { show, type OutputOptions } from '../terminal/output.ts'
import { tell } from '../terminal/terminal.ts'
import { requireFile } from './kept-store.ts'
import { readSettings, startingFailure } from '../settings/settings.ts'

interface Options extends OutputOptions {
  readonly status?: true
  readonly new?: true
}

export async function run(_args: readonly string[], options: Options): Promise<number> {
  const config = readSettings()
  try {
    if (options.status) return await showStatus(config, options)
    await bringUpToDate(options.new ? { ...config, newStore: 'make' } : config)
    tell('The schema is up to date.')
    return STATUS.done
  } catch (error) {
    throw startingFailure(error, config)
  }
}

async function bringUpToDate(config: Config): Promise<void> {
  const waiting = (reason: unknown): void => {
    tell(`Waiting for the database: ${startFailure(reason, config)}`)
  }
  await onceReachable(config.databaseUrl, config.startupWaitMs, waiting, async () => {
    const store = createStore(config.databaseUrl)
    try {
      await migrate(store, config, tell)
      await bootstrap(store)
    } finally {
      await store.close()
    }
  })
}

const LIMIT_MS = 10_000

/**
 * Prints each migration of this version and of the store. The exit status tells whether this version can use the store.
 */
async function showStatus({ databaseUrl }: Config, options: OutputOptions): Promise<number> {
  requireFile(databaseUrl)
  const probe = openProbe(databaseUrl, LIMIT_MS)
  const done = await appliedMigrations(probe).finally(() => probe.close())
  const unknown = new Set(tooNew(done))
  const names = [...new Set([...MIGRATION_NAMES, ...done])].sort()
  const stateOf = (name: string): string => {
    if (unknown.has(name)) return 'of a later version'
    return done.includes(name) ? 'done' : 'missing'
  }
  await show({ columns: ['migration', 'state'], rows: names.map((name) => [name, stateOf(name)]) }, options)
  const current = unknown.size === 0 && MIGRATION_NAMES.every((name) => done.includes(name))
  return current ? STATUS.done : STATUS.failed
}
