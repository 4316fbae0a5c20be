/** SIGHUP: an instance without a terminal reads its files again and goes on; one with a terminal stops in order. */
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { INHERITED, listening, nodeCommand, runProcess, type LogEntry } from '../support/process.ts'
import { send } from '../support/service.ts'

const PASSWORD = 'open sesame'

let database: FreshDatabase
let folder: string
const processes: ChildProcess[] = []

beforeEach(async () => {
  database = await freshDatabase()
  folder = mkdtempSync(join(tmpdir(), 'gloss-hang-up-'))
})
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
  await database.drop()
})

interface Running {
  readonly url: string
  readonly child: ChildProcess
  readonly end: Promise<number | null>
  readonly printed: () => string
}

/** Starts the service as daemons start: without a terminal. */
async function start(env: Readonly<Record<string, string>>): Promise<Running> {
  const settings = { DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD, ...env }
  const started = runProcess(settings, ['setsid', ...nodeCommand('src/main')])
  processes.push(started.process)
  const url = `http://127.0.0.1:${String(await listening(started))}`
  return { url, child: started.process, end: started.end, printed: started.printed }
}

/** The entries of all files of the log. */
const entriesIn = (): LogEntry[] =>
  readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogEntry)

test.each(['1', '2'])(
  'the log is rotated under load, with WORKERS=%s: no line is lost or doubled',
  async (WORKERS) => {
    const log = join(folder, 'gloss.log')
    const { url, child, end } = await start({ LOG_FILE: log, WORKERS })
    const sent: unknown[] = []
    let isOver = false
    const load = async (): Promise<void> => {
      while (!isOver) {
        const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`
        const { status } = await send(url, 'GET', '/users/service', { headers: { traceparent } })
        expect(status).toBe(200)
        sent.push(traceparent)
      }
    }
    const loads = [load(), load(), load(), load()]
    for (let i = 1; i <= 5; i++) {
      const before = sent.length
      while (sent.length < before + 50) await sleep(5)
      renameSync(log, `${log}.${String(i)}`)
      child.kill('SIGHUP')
      while (!existsSync(log)) await sleep(5)
    }
    isOver = true
    await Promise.all(loads)
    child.kill('SIGTERM')
    expect(await end).toBe(0)
    const logged = entriesIn()
      .filter(({ msg }) => msg === 'request')
      .map(({ traceparent }) => traceparent)
    expect(logged.sort()).toEqual(sent.sort())
    expect(readdirSync(folder)).toHaveLength(6)
  },
)

test('a log that cannot be opened again goes on in its former file, which says so, as does standard error', async () => {
  const inner = mkdtempSync(join(folder, 'inner-'))
  const log = join(inner, 'gloss.log')
  const { url, child, printed } = await start({ LOG_FILE: log })
  expect(statSync(log).mode & 0o777).toBe(0o600)
  const moved = join(folder, 'moved.log')
  renameSync(log, moved)
  rmSync(inner, { recursive: true })
  child.kill('SIGHUP')
  while (!readFileSync(moved, 'utf8').includes('the log goes on in its former file')) await sleep(20)
  await send(url, 'GET', '/users/service', {})
  while (!readFileSync(moved, 'utf8').includes('"msg":"request"')) await sleep(20)
  while (!printed().includes('LOG_FILE names a file that cannot be written: ENOENT')) await sleep(20)
})

test('a named pipe that has no reader is said, and the log goes on in its former file', async () => {
  const log = join(folder, 'gloss.log')
  const { url, child } = await start({ LOG_FILE: log })
  const moved = join(folder, 'moved.log')
  renameSync(log, moved)
  expect(spawnSync('mkfifo', [log]).status).toBe(0)
  child.kill('SIGHUP')
  while (!readFileSync(moved, 'utf8').includes('cannot be written: ENXIO')) await sleep(20)
  expect((await send(url, 'GET', '/users/service', {})).status).toBe(200)
  const { end, printed } = runProcess({ DATABASE_URL: database.url, LOG_FILE: log })
  expect(await end).toBe(1)
  expect(printed()).toContain('LOG_FILE names a file that cannot be written: ENXIO')
})

test('a log that cannot be opened at the start is said', async () => {
  const settings = { DATABASE_URL: database.url, LOG_FILE: join(folder, 'none', 'gloss.log') }
  const { end, printed } = runProcess(settings)
  expect(await end).toBe(1)
  expect(printed()).toMatch(/^Gloss .*\nLOG_FILE names a file that cannot be written: ENOENT.*\n$/)
})

test('an instance whose terminal is closed stops in order', async () => {
  const told = join(folder, 'told')
  const line = `${nodeCommand('src/main').join(' ')} > ${told}; echo "status $?" >> ${told}`
  const terminal = spawn('script', ['-qc', line, '/dev/null'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...INHERITED, SHELL: '/bin/sh', PORT: '0', DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  processes.push(terminal)
  const says = async (text: RegExp): Promise<string> => {
    for (;;) {
      const found = existsSync(told) ? text.exec(readFileSync(told, 'utf8')) : null
      if (found !== null) return found[1] ?? ''
      await sleep(50)
    }
  }
  const port = await says(/listens on \S+:(\d+)[^]*gloss --help/)
  const { status } = await send(`http://127.0.0.1:${port}`, 'GET', '/users/service', {})
  expect(status).toBe(200)
  process.kill(serviceUnder(terminal.pid), 'SIGHUP')
  expect(await says(/status (\d+)/)).toBe('0')
  terminal.stdin.end()
  if (terminal.exitCode === null) await once(terminal, 'close')
})

/** The process id of the service, which the shell on the terminal has started. */
function serviceUnder(pid: number | undefined): number {
  const children = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8').trim()
  const line = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')
  return line.startsWith(process.execPath) ? Number(pid) : serviceUnder(Number(children.split(' ')[0]))
}
