/** A log that cannot be written, or that nobody reads: requests do not notice, and the service stops as ever. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { freePort } from '../support/ports.ts'
import { INHERITED, programFile } from '../support/process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let database: FreshDatabase
let folder: string
const processes: ChildProcess[] = []
const descriptors: number[] = []

beforeEach(async () => {
  database = await freshDatabase()
  folder = mkdtempSync(join(tmpdir(), 'gloss-log-'))
})
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
  rmSync(folder, { recursive: true })
  await database.drop()
})

interface Running {
  readonly port: number
  readonly admin: number
  readonly child: ChildProcess
  readonly end: Promise<unknown>
}

/** Starts the service with a log that goes to a file descriptor. */
async function start(log: number, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const admin = await freePort()
  const child = spawn(process.execPath, [programFile('src/main')], {
    cwd: ROOT,
    env: { ...INHERITED, PORT: '0', DATABASE_URL: database.url, ADMIN_PORT: String(admin), ...env },
    stdio: ['ignore', 'pipe', log],
  })
  processes.push(child)
  const end = once(child, 'exit').then(([code]: unknown[]) => code)
  let told = ''
  child.stdout?.on('data', (part: Buffer) => (told += part.toString()))
  const port = (): string | undefined => /listens on \S+:(\d+)[^]*Sign in/.exec(told)?.[1]
  while (port() === undefined) await Promise.race([once(child.stdout ?? child, 'data'), end])
  return { port: Number(port()), admin, child, end }
}

async function ask({ port }: Running): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${String(port)}/users/service`)
  await answer.arrayBuffer()
  return answer.status
}

async function metric({ admin }: Running, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${String(admin)}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

const dropped = (service: Running): Promise<number> => metric(service, 'gloss_log_lines_dropped_total')

async function untilDropped(service: Running, least: number): Promise<void> {
  while (!((await dropped(service)) >= least)) await sleep(50)
}

async function stopped({ child, end }: Running): Promise<unknown> {
  child.kill('SIGTERM')
  return end
}

function open(file: string, flags: string | number): number {
  const descriptor = openSync(file, flags)
  descriptors.push(descriptor)
  return descriptor
}

describe.each(['1', '2'])('with WORKERS=%s', (WORKERS) => {
  test('a full disk under the log: requests are answered, lines are counted, SIGTERM stops it', async () => {
    const service = await start(open('/dev/full', 'w'), { WORKERS })
    for (let i = 0; i < 20; i++) expect(await ask(service)).toBe(200)
    await untilDropped(service, 20)
    for (const path of ['/livez', '/readyz'])
      expect((await fetch(`http://127.0.0.1:${String(service.admin)}${path}`)).status).toBe(200)
    expect(await ask(service)).toBe(200)
    expect(await stopped(service)).toBe(0)
  })
})

/** A pipe whose reader may go and come. Reading does not wait. */
function namedPipe(): string {
  const file = join(folder, 'pipe')
  expect(spawnSync('mkfifo', [file]).status).toBe(0)
  return file
}

const openReader = (file: string): number => open(file, constants.O_RDONLY | constants.O_NONBLOCK)

function readSome(reader: number): string {
  const buffer = Buffer.alloc(1024 * 1024)
  try {
    return buffer.subarray(0, readSync(reader, buffer)).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return ''
    throw error
  }
}

test('a log that can be written again goes on, and says first how many lines are missing', async () => {
  const file = namedPipe()
  const first = openReader(file)
  const service = await start(open(file, 'w'))
  expect(readSome(first)).toContain('"msg":"start"')
  closeSync(first)
  descriptors.splice(descriptors.indexOf(first), 1)
  for (let i = 0; i < 3; i++) expect(await ask(service)).toBe(200)
  await untilDropped(service, 3)
  const again = openReader(file)
  expect(await ask(service)).toBe(200)
  let text = ''
  while (text.trim().split('\n').length < 2) {
    text += readSome(again)
    await sleep(20)
  }
  const [gap, request] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(gap).toMatchObject({ level: 'error', msg: 'lines of the log were dropped', lines: 3 })
  expect(request).toMatchObject({ level: 'info', msg: 'request', status: 200 })
  expect(await dropped(service)).toBe(3)
  expect(await stopped(service)).toBe(0)
})

describe('a reader of the log who stands still', () => {
  /** Fills the pipe, so that the service waits for its reader. */
  async function stuck(env: Readonly<Record<string, string>> = {}): Promise<Running> {
    const file = namedPipe()
    openReader(file)
    const service = await start(open(file, 'w'), env)
    // A pipe holds 64 KiB, and a line has more than 200 octets.
    for (let i = 0; i < 400; i++) expect(await ask(service)).toBe(200)
    await sleep(200)
    return service
  }

  test.each(['1', '2'])('does not keep it from stopping, with WORKERS=%s', async (WORKERS) => {
    const service = await stuck({ WORKERS })
    expect(await stopped(service)).toBe(0)
  })

  test('nor from ending at once by a second signal', async () => {
    const service = await stuck({ DRAIN_WAIT_MS: '3600000' })
    service.child.kill('SIGTERM')
    await sleep(1100)
    service.child.kill('SIGTERM')
    expect(await service.end).toBe(143)
  })
})

test('a full disk under what is printed ends nothing', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [programFile('src/main')], {
    cwd: ROOT,
    env: { ...INHERITED, PORT: String(port), DATABASE_URL: database.url, ADMIN_PASSWORD: 'open sesame' },
    stdio: ['ignore', open('/dev/full', 'w'), 'ignore'],
  })
  processes.push(child)
  const end = once(child, 'exit')
  const asked = async (): Promise<number | undefined> =>
    fetch(`http://127.0.0.1:${String(port)}/users/service`).then(
      ({ status }) => status,
      () => undefined,
    )
  while ((await asked()) !== 200 && child.exitCode === null) await sleep(100)
  expect(await asked()).toBe(200)
  child.kill('SIGTERM')
  expect((await end)[0]).toBe(0)
})
