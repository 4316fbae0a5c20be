/** Two instances of the service behind a proxy, each of which can be restarted with another build. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { freePort } from '../../test/support/ports.ts'
import { shippedConfig, startProxy, type Instance } from '../../test/support/proxy.ts'
import { startLoad, type Tally } from './load.ts'

const PASSWORD = 'rolling restarts'
/** The pause that docs/operations.md requires between a ready instance and the next restart, in milliseconds. */
const SETTLE_MS = 3000
/** The duration of the load before the first restart, in milliseconds. */
const WARM_MS = 3000

/** An instance with functions that restart and stop it. */
export interface Restartable extends Instance {
  /** Stops the instance and starts a build; resolves when that is ready. Returns how long the stop took, in milliseconds. */
  restart(build: string): Promise<number>
  /** The version that the admin server said when the instance became ready. */
  version(): string
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Runs the service of a build. */
function run(build: string, env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [join(build, 'dist', 'src', 'main.js')], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function startInstance(build: string, databaseUrl: string, drainWaitMs: string): Promise<Restartable> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DRAIN_WAIT_MS: drainWaitMs,
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'error',
  }
  let child = run(build, { ...env, ADMIN_PASSWORD: PASSWORD })
  let version = await untilReady(adminPort, child)
  const stop = async (): Promise<void> => {
    const end = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = (await end) as [number | null]
    if (code !== 0) throw new Error(`an instance ended with ${String(code)}`)
  }
  const restart = async (next: string): Promise<number> => {
    const before = performance.now()
    await stop()
    const took = performance.now() - before
    child = run(next, env)
    version = await untilReady(adminPort, child)
    await sleep(SETTLE_MS)
    return took
  }
  return { service: `127.0.0.1:${String(port)}`, adminPort, restart, version: () => version, stop }
}

/** Waits until an instance is ready; returns the version that it says. */
async function untilReady(adminPort: number, child: ChildProcess): Promise<string> {
  while (child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${String(adminPort)}/readyz`).catch(() => undefined)
    const text = await answer?.text()
    if (answer?.status === 200) return (JSON.parse(text ?? '') as { version?: string }).version ?? 'unknown'
    await sleep(100)
  }
  throw new Error('an instance could not start; the reason stands above')
}

/** The DRAIN_WAIT_MS in the recipe for a proxy. */
function drainWaitOf(proxy: string): string {
  const wait = /DRAIN_WAIT_MS=(\d+)/.exec(shippedConfig(proxy))?.[1]
  if (wait === undefined) throw new Error(`the recipe for ${proxy} does not say DRAIN_WAIT_MS`)
  return wait
}

async function freshDatabase(server: string): Promise<string> {
  const name = `rolling_${randomBytes(4).toString('hex')}`
  const connection = await createConnection(server)
  await connection.query(`CREATE DATABASE ${name}`)
  await connection.end()
  return new URL(`/${name}`, server).href
}

/** Two instances on one database. */
export interface Pair {
  readonly one: Restartable
  readonly two: Restartable
  readonly databaseUrl: string
}

/**
 * Starts two instances of a build behind a proxy, on a new database of the server, and a load. Runs `work` under the load;
 * then stops all, and returns what the load has seen.
 */
export async function underLoad(
  { proxy, build, server }: { proxy: string; build: string; server: string },
  work: (pair: Pair) => Promise<void>,
): Promise<Tally> {
  const databaseUrl = await freshDatabase(server)
  const one = await startInstance(build, databaseUrl, drainWaitOf(proxy))
  const two = await startInstance(build, databaseUrl, drainWaitOf(proxy))
  const front = await startProxy(proxy, [one, two])
  const load = await startLoad(front.url, PASSWORD)
  await sleep(WARM_MS)
  await work({ one, two, databaseUrl })
  const tally = await load.stop()
  tally.lost.push(...(await load.lostOn([one.service, two.service])))
  await front.stop()
  await Promise.all([one.stop(), two.stop()])
  return tally
}
