/**
 * Restarts two instances in turn behind HAProxy and behind nginx, with the delivered configurations and under a steady
 * load. Counts failed requests and lost acknowledged writes (`npm run rolling`).
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { startMysqlServer } from '../test/support/mysql-server.ts'
import { freePort } from '../test/support/ports.ts'
import { shippedConfig, startProxy, type Instance } from '../test/support/proxy.ts'
import { installProxies, PROXIES } from './proxies.ts'
import { startLoad, type Tally } from './rolling/load.ts'
import { argumentsOf, oneOf, option, optional, several, text, wholeNumber } from './usage.ts'

const root = dirname(import.meta.dirname)
const PASSWORD = 'rolling restarts'
/** The pause that docs/operations.md requires between a ready instance and the next restart, in milliseconds. */
const SETTLE_MS = 3000
/** The duration of the load before the first restart, in milliseconds. */
const WARM_MS = 3000

const { restarts, behind, from } = argumentsOf({
  name: 'npm run rolling --',
  does: `Restarts two instances in turn behind a proxy under a steady load, and counts the requests that fail and the acknowledged
writes that are lost (Debian, as root).`,
  options: {
    restarts: option(wholeNumber(1), 'how many restarts behind each proxy', 10),
    behind: several(oneOf('PROXY', PROXIES), 'which proxy', PROXIES),
    from: optional(
      text('COMMIT'),
      'starts instances of that commit; restarted, each is of this checkout',
      'this checkout',
    ),
  },
})

/** An instance with a function that restarts it. */
interface Restartable extends Instance {
  /** Stops and starts the instance; resolves when it is ready. Returns the duration of the stop in milliseconds. */
  restart(): Promise<number>
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Runs the built service of a folder. */
function run(folder: string, env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [join(folder, 'dist', 'src', 'main.js')], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Starts the build of a folder; a restart runs the build of this checkout. */
async function startInstance(folder: string, databaseUrl: string, drainWaitMs: string): Promise<Restartable> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DRAIN_WAIT_MS: drainWaitMs,
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'error',
  }
  let child = run(folder, { ...env, ADMIN_PASSWORD: PASSWORD })
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
    child = run(root, env)
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

/** Builds a folder; throws if that fails. */
function build(folder: string): void {
  const { status } = spawnSync(process.execPath, [join(folder, 'scripts', 'build.ts')], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${folder} could not be built`)
}

/** Clones a commit, installs its dependencies and builds it; returns the folder. */
function checkOut(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-rolling-'))
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true })
  })
  const commands = [
    ['git', 'clone', '--quiet', root, folder],
    ['git', '-C', folder, 'checkout', '--quiet', commit],
    [process.execPath, join(folder, 'scripts', 'setup.mjs')],
  ] as const
  for (const [program, ...args] of commands) {
    const { status } = spawnSync(program, args, { stdio: 'inherit' })
    if (status !== 0) throw new Error(`${commit} could not be checked out and installed`)
  }
  build(folder)
  return folder
}

interface Rolling {
  /** The folder of the build that starts first. */
  readonly folder: string
  readonly restarts: number
  /** The URL of the database server. */
  readonly server: string
}

/** Restarts instances in turn behind a proxy; returns whether no request failed and no write was lost. */
async function roll(proxy: string, { folder, restarts, server }: Rolling): Promise<boolean> {
  const databaseUrl = await freshDatabase(server)
  const one = await startInstance(folder, databaseUrl, drainWaitOf(proxy))
  const two = await startInstance(folder, databaseUrl, drainWaitOf(proxy))
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

const missing = installProxies().filter((proxy) => behind.includes(proxy))
if (missing.length > 0) throw new Error(`not installed, and not to be had by apt here: ${missing.join(', ')}`)
build(root)
const folder = from === undefined ? root : checkOut(from)
const server = await startMysqlServer()
try {
  let well = true
  for (const proxy of behind) well = (await roll(proxy, { folder, restarts, server: server.url })) && well
  process.exitCode = well ? 0 : 1
} finally {
  await server.stop()
}
