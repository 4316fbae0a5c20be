/**
 * A service behind a proxy that disturbs its connections to the database, and an undisturbed one on the same database.
 */
import { MAX_CONNECTIONS, SCAN_PLACES } from '../../src/data/database/knex-config.ts'
import { raw } from '../../src/data/database/connection/sql.ts'
import { waitsFor, type Waits } from '../../src/data/database/connection/waits.ts'
import type { Store } from '../../src/data/store/store.ts'
import type { Caller, ReadTx } from '../../src/data/store/views.ts'
import { findAccount } from '../../src/data/entities/accounts.ts'
import { buildFixture } from './fixture.ts'
import { sampleOf, type Sample } from './samples.ts'
import { startAnother, startService, type Answer, type Service } from './service.ts'
import { TcpProxy } from './tcp-proxy.ts'

export interface Harmed {
  readonly calm: Service
  readonly service: Service
  readonly proxy: TcpProxy
  stop(): Promise<void>
}

/** The waits of a service for its database, shortened for tests. */
export const SHORT_WAITS: Waits = {
  ...waitsFor(60_000),
  connect: 400,
  place: 2000,
  statement: 400,
  aside: 400,
}

/**
 * Starts both services, and creates the data that samples of operations need. `fault` gets the causes of 500s of the
 * disturbed service.
 */
export async function startHarmed(fault: (cause: unknown) => void = console.error): Promise<Harmed> {
  const calm = await startService()
  await buildFixture(calm)
  const proxy = await TcpProxy.start(calm.databaseUrl)
  const report = (message: string, cause: unknown): void => {
    if (!message.startsWith('ServiceUnavailable')) fault(cause)
  }
  const service = await startAnother(proxy.url, SHORT_WAITS, { report })
  const stop = async (): Promise<void> => {
    await service.stop()
    await proxy.stop()
    await calm.stop()
  }
  return { calm, service, proxy, stop }
}

/** A request for an operation; the undisturbed service creates the data that it needs. */
export const askedOf = (harmed: Harmed, operation: string): Promise<Sample> =>
  sampleOf(harmed.calm, operation)

/** Sends a request to the disturbed service. */
export const sendSample = ({ service }: Harmed, sample: Sample): Promise<Answer> =>
  service.request(sample.method, sample.path, {
    query: sample.query,
    headers: { 'content-type': sample.type },
    ...(sample.as !== undefined && { as: sample.as }),
    ...(sample.body !== undefined && { body: sample.body }),
  })

/** The fault in an answer to a request whose connection to the database was disturbed. */
export function faultOf(sample: Sample, { status, headers }: Answer): string | undefined {
  if (status === sample.status) return undefined
  if (status === 503 && Number(headers['retry-after']) > 0) return undefined
  return `${sample.method} ${sample.path}: ${String(status)} ${JSON.stringify(headers)}`
}

/** Takes all places of a store at the same time, and releases them. Rejects if it cannot get all. */
export async function holdAllPlaces(store: Store): Promise<void> {
  const { read, write } = MAX_CONNECTIONS.mysql
  const scans = SCAN_PLACES.parties + SCAN_PLACES.further
  const missing = new Set(Array(read + write + scans).keys())
  const all = Promise.withResolvers<undefined>()
  let next = 0
  const hold = () => {
    const own = next++
    return async <V>(tx: ReadTx<V>): Promise<void> => {
      await tx.all(raw('SELECT 1 AS one'))
      missing.delete(own)
      if (missing.size === 0) all.resolve(undefined)
      await all.promise
    }
  }
  const [alice, bob] = [await callerOf(store, 'alice'), await callerOf(store, 'bob')]
  const never = new AbortController().signal
  const held = [
    ...Array.from({ length: read }, () => store.read(alice, hold())),
    ...Array.from({ length: write }, () => store.write(alice, hold())),
    ...[alice, bob, alice].map((caller) => store.scan(caller, never, hold())),
  ]
  // A view that gets no place rejects at once; the others need not wait any longer.
  const failed = await Promise.race([
    all.promise,
    ...held.map((one) => one.then(() => undefined).catch((error: unknown) => error as Error)),
  ])
  all.resolve(undefined)
  await Promise.allSettled(held)
  if (failed !== undefined) throw failed
}

async function callerOf(store: Store, name: string): Promise<Caller> {
  const account = await findAccount(store, name)
  if (account === undefined) throw new Error(`there is no user ${name}`)
  return account.caller
}

/**
 * Waits until the store has all of its places again and every operation succeeds. Returns the time in milliseconds.
 * Rejects after a minute, because a lost place never returns.
 */
export async function untilGreen(harmed: Harmed, operations: readonly string[]): Promise<number> {
  const begin = performance.now()
  for (;;) {
    try {
      await holdAllPlaces(harmed.service.store)
      for (const operation of operations) {
        const sample = await askedOf(harmed, operation)
        const { status } = await sendSample(harmed, sample)
        if (status !== sample.status) throw new Error(`${operation}: ${String(status)}`)
      }
      return performance.now() - begin
    } catch (error) {
      if (performance.now() - begin > GREEN_MS) throw error
    }
  }
}

const GREEN_MS = 60_000
