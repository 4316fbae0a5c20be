/** The service as a process: what it prints when it starts, and how it stops. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals'
import { SCHEMA } from '../../src/data/store/versions.ts'
import { VERSION } from '../../src/settings/version.ts'
import { AnswerRecorder } from '../support/answer-recorder.ts'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { freePort } from '../support/ports.ts'
import { listening, logged, runProcess, type ServiceProcess } from '../support/process.ts'

let database: FreshDatabase
const answers = new AnswerRecorder()
const processes: ChildProcess[] = []

beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  for (const process of processes.splice(0)) process.kill('SIGKILL')
  await database.drop()
})
afterAll(() => {
  answers.close()
})

function run(env: Readonly<Record<string, string>>): ServiceProcess {
  const started = runProcess({ DATABASE_URL: database.url, ...env })
  processes.push(started.process)
  return started
}

async function start(
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess & { readonly port: number }> {
  const started = run(env)
  return { ...started, port: await listening(started) }
}

const ask = (port: number, password: string, body: string): ClientRequest =>
  httpRequest({
    port,
    method: 'POST',
    path: '/objects',
    auth: `service:${password}`,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  })

async function answerOf(request: ClientRequest): Promise<number> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const body = Buffer.concat((await answer.toArray()) as Buffer[])
  const { statusCode: status = 0, headers } = answer
  answers.note({ method: request.method, target: request.path, status, headers, body })
  return status
}

test('a password is generated at the first start, printed once, and works', async () => {
  const first = await start()
  const password = /password of the superuser 'service' is (\S+)/.exec(first.printed())?.[1] ?? ''
  const request = ask(first.port, password, '{}')
  request.end('{}')
  expect(await answerOf(request)).toBe(201)
  first.process.kill('SIGTERM')
  expect(await first.end).toBe(0)
  expect((await start()).printed()).not.toContain('password of the superuser')
})

test('the version and the schema are said first, in the log whatever its level, and by /readyz', async () => {
  const adminPort = await freePort()
  const service = await start({ ADMIN_PORT: String(adminPort), LOG_LEVEL: 'error' })
  expect(service.printed()).toMatch(`Gloss ${VERSION} (schema ${SCHEMA}, Node ${process.versions.node})\n`)
  const running = { version: VERSION, schema: SCHEMA }
  expect(await logged(service, 'start', 1)).toEqual([
    expect.objectContaining({ level: 'info', ...running, node: process.versions.node }),
  ])
  const answer = await fetch(`http://127.0.0.1:${String(adminPort)}/readyz`)
  expect(await answer.json()).toMatchObject({ ready: true, ...running })
})

test('a given password is not printed', async () => {
  const { port, printed } = await start({ ADMIN_PASSWORD: 'given by the operator' })
  expect(printed()).not.toContain('given by the operator')
  const request = ask(port, 'given by the operator', '{}')
  request.end('{}')
  expect(await answerOf(request)).toBe(201)
})

test('several workers share one port, a dead one is replaced, and all stop together', async () => {
  const service = await start({ ADMIN_PASSWORD: 'open sesame', WORKERS: '2' })
  const make = (): Promise<number | undefined> => {
    const request = ask(service.port, 'open sesame', '{}')
    request.end('{}')
    return answerOf(request)
  }
  expect(await Promise.all(Array.from({ length: 8 }, make))).toEqual(Array.from({ length: 8 }, () => 201))
  const workers = workersOf(service.process)
  expect(workers).toHaveLength(2)
  process.kill(Number(workers[0]), 'SIGKILL')
  await logged(service, `the worker ${String(workers[0])} fell (SIGKILL)`, 1)
  while (workersOf(service.process).filter((pid) => !workers.includes(pid)).length === 0) await sleep(100)
  expect(await make()).toBe(201)
  service.process.kill('SIGTERM')
  expect(await service.end).toBe(0)
})

test('a worker that would work on other data than the service ends, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-data-'))
  const DATABASE_URL_FILE = join(folder, 'database-url')
  writeFileSync(DATABASE_URL_FILE, database.url)
  const service = await start({
    DATABASE_URL: '',
    DATABASE_URL_FILE,
    ADMIN_PASSWORD: 'open sesame',
    WORKERS: '2',
  })
  writeFileSync(DATABASE_URL_FILE, `sqlite:${join(folder, 'other.db')}`)
  const [first] = workersOf(service.process)
  process.kill(Number(first), 'SIGKILL')
  const said = /^DATABASE_URL names the file .*other[.]db, but the service runs on .*: restart the service/m
  const replaced = (): boolean =>
    workersOf(service.process).length === 2 && !workersOf(service.process).includes(String(first))
  while (!said.test(service.printed())) await sleep(50)
  expect(existsSync(join(folder, 'other.db'))).toBe(false)
  writeFileSync(DATABASE_URL_FILE, database.url)
  while (!replaced()) await sleep(50)
  service.process.kill('SIGTERM')
  expect(await service.end).toBe(0)
  rmSync(folder, { recursive: true })
})

test('a password of the environment is in that of no worker', async () => {
  const service = await start({ ADMIN_PASSWORD: 'open sesame', WORKERS: '2' })
  const workers = workersOf(service.process)
  expect(workers).toHaveLength(2)
  for (const pid of workers) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    expect(environment).toContain('DATABASE_URL=')
    expect(environment).not.toMatch(/open sesame|ADMIN_PASSWORD/)
  }
  const request = ask(service.port, 'open sesame', '{}')
  request.end('{}')
  expect(await answerOf(request)).toBe(201)
  service.process.kill('SIGTERM')
  expect(await service.end).toBe(0)
})

test('workers count failed sign-ins together', async () => {
  const service = await start({ ADMIN_PASSWORD: 'open sesame', WORKERS: '3' })
  const { port, printed } = service
  const guess = (i: number): Promise<number> => {
    const request = ask(port, `wrong ${String(i)}`, '{}')
    request.end('{}')
    return answerOf(request)
  }
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, i) => guess(i)))
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  const about = { level: 'warn', username: 'service', address: '127.0.0.1' }
  const events = await logged(service, 'security', 20)
  expect(events).toContainEqual(expect.objectContaining({ ...about, event: 'sign-in failed' }))
  expect(events).toContainEqual(expect.objectContaining({ ...about, event: 'sign-in refused' }))
  expect(printed()).not.toContain('wrong 1')
})

test('right credentials on many connections to many workers are never too many', async () => {
  const { port } = await start({ ADMIN_PASSWORD: 'open sesame', WORKERS: '3' })
  const statuses = await Promise.all(
    Array.from({ length: 60 }, () => {
      const request = ask(port, 'open sesame', '{}')
      request.end('{}')
      return answerOf(request)
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([201]))
})

/** The process ids of a service's workers. */
const workersOf = ({ pid }: ChildProcess): string[] =>
  readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8')
    .trim()
    .split(' ')

test('a request in progress is answered, however many signals to stop arrive', async () => {
  const { port, process: service, end } = await start({ ADMIN_PASSWORD: 'open sesame' })
  const body = '{"about":"what is being said"}'
  const request = ask(port, 'open sesame', body)
  request.write(body.slice(0, 10))
  await once(request, 'socket')
  // Once the service has answered a later request, it has received this one.
  const other = ask(port, 'open sesame', '{}')
  other.end('{}')
  expect(await answerOf(other)).toBe(201)
  for (let i = 0; i < 3; i++) service.kill('SIGINT')
  const answer = answerOf(request)
  request.end(body.slice(10))
  expect(await answer).toBe(201)
  expect(await end).toBe(0)
})

test('a port in use is said before anything is made', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const { end, printed } = run({ PORT: String(port) })
  expect(await end).toBe(1)
  expect(printed()).toBe(
    `PORT ${String(port)} is in use (by node, pid ${String(process.pid)}): choose another with PORT=…\n`,
  )
  holder.close()
})

test('a password that the superuser does not have is ignored, and that is said', async () => {
  const IGNORED = `ADMIN_PASSWORD is ignored: the superuser 'service' of this store has another password.`
  const starts: string[] = []
  for (const ADMIN_PASSWORD of ['the first one', 'the first one', 'another one']) {
    const service = await start({ ADMIN_PASSWORD })
    service.process.kill('SIGTERM')
    expect(await service.end).toBe(0)
    starts.push(service.printed())
  }
  expect(starts.map((printed) => printed.includes(IGNORED))).toEqual([false, false, true])
})

test('the file with the first password is needed at the first start only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-first-'))
  const ADMIN_PASSWORD_FILE = join(folder, 'admin-password')
  const early = run({ ADMIN_PASSWORD_FILE })
  expect(await early.end).toBe(1)
  expect(early.printed()).toMatch(/^ADMIN_PASSWORD_FILE names a file that cannot be read: ENOENT.*$/m)
  expect(early.printed()).not.toContain('The password of the superuser')
  writeFileSync(ADMIN_PASSWORD_FILE, 'from a file')
  const first = await start({ ADMIN_PASSWORD_FILE })
  first.process.kill('SIGTERM')
  expect(await first.end).toBe(0)
  rmSync(folder, { recursive: true })
  const { port, printed } = await start({ ADMIN_PASSWORD_FILE })
  expect(printed()).not.toContain('ADMIN_PASSWORD')
  const request = ask(port, 'from a file', '{}')
  request.end('{}')
  expect(await answerOf(request)).toBe(201)
})

test('with BASE_URL, the start says where it listens, too', async () => {
  const { port, printed } = await start({ BASE_URL: 'https://gloss.example.org' })
  expect(printed()).toContain(
    `Gloss listens on http://127.0.0.1:${String(port)}, and clients ask it at https://gloss.example.org\n`,
  )
  expect((await fetch(`http://127.0.0.1:${String(port)}/users/service`)).status).toBe(200)
})

test('all mistakes in the configuration are reported at once', async () => {
  const { end, printed } = run({ PORT: 'x', MAX_BODY_BYTES: '-1', BASE_URL: 'ftp://x' })
  expect(await end).toBe(1)
  for (const name of ['PORT', 'MAX_BODY_BYTES', 'BASE_URL']) expect(printed()).toContain(name)
})
