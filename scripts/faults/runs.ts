/** Functions that the scenarios share: stores, services to kill, and commands. */
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
  /** The folder of the store: a copy of the prepared one. */
  readonly folder: string
  readonly prepared: string
  readonly trace: Trace
  /** Whether clients continue after the first refusal. If not, the run kills the service immediately. */
  readonly goesOn: boolean
}

export const storeIn = (folder: string): string => `sqlite:${join(folder, 'gloss.db')}`

/** Values in a store that the scenarios replace. */
export const OLD = Buffer.alloc(20_000, 'old ')
export const OLD_PLACES = [1, 2].map((i) => `/about/old-${String(i)}/alice/faults/old`)

/** Creates a store with old values, and in a `full` one with data of every kind. Its write-ahead log is empty. */
export async function prepareStore(folder: string, full = false): Promise<void> {
  const service = await (full ? startFilledService() : startService())
  for (const path of OLD_PLACES) await service.ok('PUT', path, { as: 'alice', ...opaque(path, OLD).options })
  // Without requests in progress, its files are as after a kill.
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

/** Starts the service, or another command, on a store. It does not outlive this process. */
export function startOn(folder: string, command?: readonly [string, ...string[]]): ServiceProcess {
  const started = runProcess({ DATABASE_URL: storeIn(folder) }, command)
  running.add(started.process)
  void started.end.then(() => running.delete(started.process))
  return started
}

/**
 * Runs `work` with the URL of a service, kills the service, and returns the result. Throws if the service does not serve.
 */
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
 * Sends writes, those of a batch concurrently, and returns the outcome of each. Unless it `goesOn`, it sends no batch
 * after a refusal.
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

/** The end of a command; its status is undefined if it did not end, and null after a signal. */
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

/** The differences between two stores. */
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
