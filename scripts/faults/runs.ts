/** What the scenarios have in common: stores, services that are killed, and commands. */
import type { ChildProcess } from 'node:child_process'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createStore } from '../../src/data/store/store.ts'
import { startFilledService } from '../../test/data/kept-fixture.ts'
import { listening, nodeCommand, runProcess, type ServiceProcess } from '../../test/support/process.ts'
import { startService } from '../../test/support/service.ts'
import { compareStores } from '../drill/compare.ts'
import type { Trace } from './strace.ts'
import { opaque, outcomeOf, unlessStuck, type Outcomes, type Violation, type Write } from './writes.ts'

/** One run of a scenario. */
export interface Run {
  /** Where the store is: a copy of what was prepared. */
  readonly folder: string
  readonly prepared: string
  readonly trace: Trace
  /** Whether clients go on after the first refusal. If not, the service is killed as it is then. */
  readonly goesOn: boolean
}

export const storeIn = (folder: string): string => `sqlite:${join(folder, 'gloss.db')}`

/** Old values in a store, to be replaced. */
export const OLD = Buffer.alloc(20_000, 'old ')
export const OLD_PLACES = [1, 2].map((i) => `/about/old-${String(i)}/alice/faults/old`)

/** Makes a store with old values, and in a `full` one with something of everything. Its write-ahead log is empty. */
export async function prepareStore(folder: string, full = false): Promise<void> {
  const service = await (full ? startFilledService() : startService())
  for (const path of OLD_PLACES) await service.ok('PUT', path, { as: 'alice', ...opaque(path, OLD).options })
  // Without requests, its files are as a kill would leave them.
  cpSync(dirname(service.databaseUrl.slice('sqlite:'.length)), folder, { recursive: true })
  await service.stop()
  const store = createStore(storeIn(folder))
  await store.migrate()
  await store.close()
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts the service, or what another command says, on a store. It does not outlive this process. */
export function startOn(folder: string, command?: readonly [string, ...string[]]): ServiceProcess {
  const started = runProcess({ DATABASE_URL: storeIn(folder) }, command)
  running.add(started.process)
  void started.end.then(() => running.delete(started.process))
  return started
}

/** Kills a service once `work` is done with its URL; returns what `work` does. Throws if it does not serve. */
export async function withService<T>(
  folder: string,
  work: (url: string, service: ServiceProcess) => Promise<T>,
): Promise<T> {
  const service = startOn(folder)
  try {
    const port = await listening(service)
    if (Number.isNaN(port)) throw new Error(`the service does not start: ${service.printed()}`)
    return await work(`http://127.0.0.1:${String(port)}`, service)
  } finally {
    await kill(service)
  }
}

export async function kill({ process: child, end }: ServiceProcess): Promise<void> {
  child.kill('SIGKILL')
  await end
}

export const stuck = (what: string): Violation => ({ kind: 'stuck', text: `${what} does not come to an end` })

/**
 * Sends writes, those of a batch at once, and says what came of each. Unless it `goesOn`, batches after one with a refusal are
 * not sent.
 */
export async function sendAll(
  url: string,
  batches: readonly (readonly Write[])[],
  goesOn: boolean,
): Promise<Outcomes> {
  const outcomes = new Map(
    batches.flat().map((write): [Write, Awaited<ReturnType<typeof outcomeOf>>] => [write, 'not sent']),
  )
  for (const batch of batches) {
    if (!goesOn && [...outcomes.values()].includes('refused')) break
    await Promise.all(batch.map(async (write) => outcomes.set(write, await outcomeOf(url, write))))
  }
  return outcomes
}

/** How a command ended; its status is undefined if it did not, and null if it was killed. */
interface Ended {
  readonly status: number | null | undefined
  readonly printed: string
}

/** Runs a command on a store. */
export async function ended(folder: string, command: readonly [string, ...string[]]): Promise<Ended> {
  const started = startOn(folder, command)
  const status = await unlessStuck(started.end)
  await kill(started)
  return { status, printed: started.printed() }
}

/** Runs a command of Gloss on a store, without faults. Throws if it fails. */
export async function calmly(folder: string, ...args: readonly string[]): Promise<void> {
  const { status, printed } = await ended(folder, nodeCommand('command/gloss', ...args))
  if (status !== 0) throw new Error(`gloss ${args.join(' ')} ends with ${String(status)}: ${printed}`)
}

/** What one store lacks, or has beside, that another one has. */
export async function differences(folder: string, other: string): Promise<Violation[]> {
  const stores = [createStore(storeIn(folder)), createStore(storeIn(other))] as const
  try {
    return (await compareStores(...stores))
      .filter((table) => table.differences > 0)
      .map(({ table, examples }) => ({ kind: 'lost', text: `${table} differs: ${examples.join(', ')}` }))
  } finally {
    for (const store of stores) await store.close()
  }
}
