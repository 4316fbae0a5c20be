/** Measures what 10,000 wrong passwords a minute do to the latency of a signed-in reader. Not a test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ATTEMPTS_PER_MINUTE = 10_000
const ROUNDS = Number(process.argv[2] ?? 4)
const ROUND_MS = Number(process.argv[3] ?? 8_000)
const READER_PAUSE_MS = 5
const ADMIN_PASSWORD = 'measured'
const TARGET = '/objects/0197a3c0-5a5a-7000-8000-00000000000a/reader/rating'

const root = dirname(import.meta.dirname)
const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

interface Sent {
  readonly method?: string
  readonly path: string
  readonly authorization: string
  readonly type?: string
  readonly body?: string
}

/** Sends a request and tells its status, once its answer is there. */
function send(
  port: number,
  agent: Agent,
  { method = 'GET', path, authorization, type, body }: Sent,
): Promise<number> {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body), 'Content-Type': type }
  const headers = { Authorization: authorization, ...length }
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, agent, method, path, headers }, (res) => {
      res.resume()
      res.on('end', () => {
        resolve(res.statusCode ?? 0)
      })
    })
    req.on('error', reject)
    req.end(body)
  })
}

/** Reads over and over until told to stop; the latencies in milliseconds. */
async function read(port: number, agent: Agent, stop: AbortSignal): Promise<number[]> {
  const latencies: number[] = []
  while (!stop.aborted) {
    const begin = performance.now()
    const status = await send(port, agent, { path: TARGET, authorization: basic('reader', 'reading') })
    if (status !== 200) throw new Error(`the reader got ${String(status)}`)
    latencies.push(performance.now() - begin)
    await sleep(READER_PAUSE_MS)
  }
  return latencies
}

/** Tries wrong passwords of many names at the rate, without waiting for answers; counts them by status. */
async function attack(
  port: number,
  agent: Agent,
  stop: AbortSignal,
  statuses: Map<number, number>,
): Promise<void> {
  const begin = performance.now()
  const pending: Promise<void>[] = []
  for (let sent = 0; !stop.aborted;) {
    const due = ((performance.now() - begin) / 60_000) * ATTEMPTS_PER_MINUTE
    for (; sent < due; sent++) {
      const authorization = basic(sent % 2 === 0 ? 'victim' : `name${String(sent)}`, `wrong${String(sent)}`)
      pending.push(
        send(port, agent, { path: '/users/reader', authorization }).then((status) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }),
      )
    }
    await sleep(2)
  }
  await Promise.all(pending)
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.floor(sorted.length * q)] ?? NaN

function tell(what: string, latencies: number[]): number {
  const sorted = latencies.sort((a, b) => a - b)
  const [median, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)]
  console.log(
    `${what}: ${String(sorted.length)} reads, median ${median.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`,
  )
  return median
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const folder = mkdtempSync(join(tmpdir(), 'gloss-bench-'))
const port = await freePort()
const env = {
  ...process.env,
  PORT: String(port),
  ADMIN_PASSWORD,
  DATABASE_URL: `sqlite:${join(folder, 'gloss.db')}`,
}
const service = spawn(process.execPath, [join(root, 'src', 'main.ts')], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  await once(service.stdout, 'data')
  const agent = new Agent({ keepAlive: true })
  const admin = basic('service', ADMIN_PASSWORD)
  for (const [username, password] of [
    ['reader', 'reading'],
    ['victim', 'secret'],
  ]) {
    const body = JSON.stringify({ username, password })
    await send(port, agent, {
      method: 'POST',
      path: '/users',
      authorization: admin,
      type: 'application/json',
      body,
    })
  }
  const type = 'application/vnd.service.value+json'
  await send(port, agent, {
    method: 'PUT',
    path: TARGET,
    authorization: basic('reader', 'reading'),
    type,
    body: '5',
  })
  const [alone, attacked]: [number[], number[]] = [[], []]
  const statuses = new Map<number, number>()
  const attackers = new Agent({ keepAlive: true, maxSockets: 32 })
  await read(port, agent, AbortSignal.timeout(2_000))
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(...(await read(port, agent, AbortSignal.timeout(ROUND_MS))))
    const stop = AbortSignal.timeout(ROUND_MS)
    const [during] = await Promise.all([read(port, agent, stop), attack(port, attackers, stop, statuses)])
    attacked.push(...during)
  }
  const before = tell('alone', alone)
  const during = tell(`with ${String(ATTEMPTS_PER_MINUTE)} wrong passwords a minute`, attacked)
  console.log(
    `attempts by status: ${[...statuses].map(([status, count]) => `${String(status)}: ${String(count)}`).join(', ')}`,
  )
  console.log(`ratio of the medians: ${(during / before).toFixed(2)} (goal: at most 1.20)`)
  agent.destroy()
  attackers.destroy()
} finally {
  service.kill('SIGTERM')
  await once(service, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
