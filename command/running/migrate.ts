/** `gloss migrate`: updates the schema, for deployments that do so before they start an instance. */
import { setTimeout as sleep } from 'node:timers/promises'
import { onceReachable } from '../../src/data/database/reachable.ts'
import { openProbe, type Probe } from '../../src/data/database/probe.ts'
import { BEAT_MS } from '../../src/data/store/migration-lock.ts'
import { MIGRATIONS } from '../../src/data/store/migrations/index.ts'
import { appliedMigrations, lockCount } from '../../src/data/store/store-check.ts'
import { createStore } from '../../src/data/store/store.ts'
import { BEGUN, fitOf, MIGRATION_NAMES, onlyAdds, type Relation } from '../../src/data/store/versions.ts'
import { bootstrap } from '../../src/data/entities/bootstrap.ts'
import { migrate } from '../../src/process/opening.ts'
import { startFailure } from '../../src/process/start-failure.ts'
import type { Config } from '../../src/settings/config.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { show, type OutputOptions } from '../terminal/output.ts'
import { tell } from '../terminal/terminal.ts'
import { requireFile } from './kept-store.ts'
import { planOf, showPlan } from './migration-plan.ts'
import { readSettings, startingFailure } from '../settings/settings.ts'

interface Options extends OutputOptions {
  readonly status?: true
  readonly new?: true
  readonly plan?: true
}

export async function run(_args: readonly string[], options: Options): Promise<number> {
  if (options.status && options.plan) throw misuse('--status and --plan are two questions', 'ask one of them')
  const config = readSettings()
  try {
    if (options.status) return await showStatus(config, options)
    if (options.plan) return await plan(config, options)
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

/** Runs `work` on the names of the store's migrations, with a connection that changes nothing. */
async function asked<T>(
  { databaseUrl }: Config,
  work: (done: readonly string[], probe: Probe) => Promise<T>,
): Promise<T> {
  requireFile(databaseUrl)
  const probe = openProbe(databaseUrl, LIMIT_MS)
  try {
    return await work(await appliedMigrations(probe), probe)
  } finally {
    probe.close()
  }
}

/**
 * Prints each migration of this version and of the store, and whether a process migrates now. The exit status tells whether
 * this version can use the store.
 */
const showStatus = (config: Config, options: OutputOptions): Promise<number> =>
  asked(config, async (done, probe) => {
    const { relation, later } = fitOf(done)
    const stateOf = (name: string): string => {
      if (!done.includes(name) && done.includes(name + BEGUN)) return 'begun, and has not ended'
      if (later.includes(name)) return onlyAdds(name) ? 'added by a later version' : 'of a later version'
      return done.includes(name) ? 'done' : 'missing'
    }
    const names = [...new Set([...MIGRATION_NAMES, ...later])].sort()
    await show({ columns: ['migration', 'state'], rows: names.map((name) => [name, stateOf(name)]) }, options)
    await tellOfLock(probe)
    return relation === 'fits' ? STATUS.done : STATUS.failed
  })

/** Says whether another process migrates the store, and whether it lives. */
async function tellOfLock(probe: Probe): Promise<void> {
  const count = await lockCount(probe)
  if (count === 0) return
  await sleep(3 * BEAT_MS)
  const later = await lockCount(probe)
  if (later === 0) tell('A process migrated the store, and has ended.')
  else if (Math.abs(later) === Math.abs(count))
    tell('A process began to migrate the store, and shows no sign of life: gloss migrate takes its place.')
  else tell(`A process migrates the store, and shows signs of life: ${Math.abs(later)} so far, one a second.`)
}

/** Prints the migrations that would run; the exit status tells whether there are any. */
const plan = (config: Config, options: OutputOptions): Promise<number> =>
  asked(config, async (done) => {
    const fit = fitOf(done)
    if (fit.relation === 'newer')
      throw new Failure(`the schema of the store is ${fit.obstacle ?? ''}`, 'run the version that made it')
    await showPlan(planOf(fit, MIGRATIONS), options)
    tell(REMARKS[fit.relation])
    return fit.pending.length === 0 ? STATUS.done : STATUS.pending
  })

const REMARKS: Readonly<Record<Exclude<Relation, 'newer'>, string>> = {
  fits: 'There is nothing to do.',
  new: 'The database is empty. Nothing was changed.',
  older: 'Back up first: gloss backup --to FILE. Nothing was changed.',
  begun: 'A migration was begun and has not ended; gloss migrate goes on with it. Nothing was changed.',
}
