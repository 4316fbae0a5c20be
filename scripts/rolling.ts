/**
 * Restarts two instances in turn behind HAProxy and behind nginx, as they are shipped, under a steady load, and counts the
 * requests that fail and the acknowledged writes that are lost (`npm run rolling`, `npm run rolling -- --restarts 100`).
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { startMysqlServer } from '../test/support/mysql-server.ts'
import { freePort } from '../test/support/ports.ts'
import { shippedConfig, startProxy, type Instance } from '../test/support/proxy.ts'
import { installProxies } from './proxies.ts'
import { startLoad, type Tally } from './rolling/load.ts'

const root = dirname(import.meta.dirname)
const PASSWORD = 'rolling restarts'
/** What docs/operations.md asks for between an instance that is ready and the next restart, in milliseconds. */
const SETTLE_MS = 3000
/** How long the load runs before the first restart, in milliseconds. */
const WARM_MS = 3000

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '10' },
    behind: { type: 'string', multiple: true, default: ['haproxy', 'nginx'] },
  },
})

/** An instance that can be restarted. */
interface Restartable extends Instance {
  /** Stops it and starts it again; resolves when it is ready. Returns how long the stop took, in milliseconds. */
  restart(): Promise<number>
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function run(env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'dist', 'src', 'main.js')], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function startInstance(databaseUrl: string, drainWaitMs: string): Promise<Restartable> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DRAIN_WAIT_MS: drainWaitMs,
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'error',
  }
  let child = run({ ...env, ADMIN_PASSWORD: PASSWORD })
  await untilReady(adminPort, child)
  const stop = async (): Promise<void> => {
    const end = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = (await end) as [number | null]
    if (code !== 0) throw new Error(`an instance ended with ${String(code)}`)
  }
  const restart = async (): Promise<number> => {
    const before = performance.now()
    await stop()
    const took = performance.now() - before
    child = run(env)
    await untilReady(adminPort, child)
    return took
  }
  return { service: `127.0.0.1:${String(port)}`, adminPort, restart, stop }
}

async function untilReady(adminPort: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${String(adminPort)}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    await sleep(100)
  }
  throw new Error('an instance could not start; the reason stands above')
}

/** What a recipe says that DRAIN_WAIT_MS is to be. */
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

/** Restarts instances in turn behind a proxy; returns whether nothing failed. */
async function roll(proxy: string, restarts: number, server: string): Promise<boolean> {
  const databaseUrl = await freshDatabase(server)
  const one = await startInstance(databaseUrl, drainWaitOf(proxy))
  const two = await startInstance(databaseUrl, drainWaitOf(proxy))
  const front = await startProxy(proxy, [one, two])
  const load = await startLoad(front.url, PASSWORD)
  await sleep(WARM_MS)
  const stops: number[] = []
  for (let i = 0; i < restarts; i++) {
    stops.push(await (i % 2 === 0 ? one : two).restart())
    await sleep(SETTLE_MS)
    if (process.stdout.isTTY) process.stdout.write(`\r${proxy}: ${String(i + 1)} of ${String(restarts)}`)
  }
  const tally = await load.stop()
  tally.lost.push(...(await load.lostOn([one.service, two.service])))
  await front.stop()
  await Promise.all([one.stop(), two.stop()])
  print(proxy, stops, tally)
  return tally.failures.length === 0 && tally.lost.length === 0
}

function print(proxy: string, stops: readonly number[], tally: Tally): void {
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)
  console.log(`\n${proxy}, ${String(stops.length)} restarts in ${seconds(tally.milliseconds)} s`)
  console.log(`  stopping took   ${seconds(Math.min(...stops))} to ${seconds(Math.max(...stops))} s`)
  for (const [kind, count] of Object.entries(tally.requests))
    console.log(`  ${kind.padEnd(15)} ${String(count)}`)
  console.log(`  longest answer  ${seconds(tally.longestMs)} s`)
  console.log(`  failed          ${String(tally.failures.length)}`)
  console.log(`  lost writes     ${String(tally.lost.length)} of ${String(tally.acknowledged)} acknowledged`)
  for (const line of [...tally.failures, ...tally.lost].slice(0, 50)) console.log(`    ${line}`)
}

const missing = installProxies().filter((proxy) => values.behind.includes(proxy))
if (missing.length > 0) throw new Error(`not installed, and not to be had by apt here: ${missing.join(', ')}`)
spawnSync(process.execPath, [join(root, 'scripts', 'build.ts')], { stdio: 'inherit' })
const server = await startMysqlServer()
try {
  let well = true
  for (const proxy of values.behind) well = (await roll(proxy, Number(values.restarts), server.url)) && well
  process.exitCode = well ? 0 : 1
} finally {
  await server.stop()
}
