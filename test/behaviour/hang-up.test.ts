/** SIGHUP: an instance without a terminal reads its files again and goes on; one with a terminal stops in order. Other signals. */
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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
async function start(
  env: Readonly<Record<string, string>>,
  command: readonly string[] = nodeCommand('src/main'),
): Promise<Running> {
  const settings = { DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD, ...env }
  const started = runProcess(settings, ['setsid', ...command])
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

test.each(['SIGUSR1', 'SIGUSR2'] as const)(
  '%s opens the log again, and SIGQUIT stops in order',
  async (signal) => {
    const log = join(folder, 'gloss.log')
    const { child, end, printed } = await start({ LOG_FILE: log, WORKERS: '2' })
    renameSync(log, `${log}.1`)
    child.kill(signal)
    while (!existsSync(log) && child.signalCode === null) await sleep(20)
    child.kill('SIGQUIT')
    expect(await end).toBe(0)
    expect(printed()).not.toContain('Debugger')
  },
)

/** The command of an instance whose processes run `code` when they are about to load a module, which is named by a pattern. */
function running(
  code: string,
  module: 'app' | 'observing.metrics' | 'program',
  program = 'src/main',
  ...args: string[]
): string[] {
  const hooks = join(folder, 'hooks.mjs')
  const lines = [
    "import { registerHooks } from 'node:module'",
    "import cluster from 'node:cluster'",
    "import { existsSync, renameSync, rmSync } from 'node:fs'",
    'const log = process.env.LOG_FILE',
    'registerHooks({ resolve(name, context, next) {',
    `  if (/^[.][/]${module}[.][jt]s$/.test(name)) { ${code} }`,
    '  return next(name, context)',
    '} })',
  ]
  writeFileSync(hooks, lines.join('\n'))
  const [node, ...rest] = nodeCommand(program, ...args)
  return [node, '--import', hooks, ...rest]
}

test('a signal to stop while the program loads ends it with a status', async () => {
  const hooked = running("process.kill(process.pid, 'SIGTERM')", 'program', 'command/gloss', 'serve')
  const { end } = runProcess({ DATABASE_URL: database.url }, ['setsid', ...hooked])
  expect(await end).toBe(143)
})

test('SIGHUP while the program loads does not end it', async () => {
  const hooked = running("process.kill(process.pid, 'SIGHUP')", 'program', 'command/gloss', 'serve', '--new')
  const { url } = await start({}, hooked)
  expect((await send(url, 'GET', '/users/service', {})).status).toBe(200)
})

test('SIGHUP during the start opens the log again once the service has started', async () => {
  const log = join(folder, 'gloss.log')
  const hooked = running(
    "renameSync(log, `${log}.1`); process.kill(process.pid, 'SIGHUP')",
    'observing.metrics',
  )
  await start({ LOG_FILE: log, ADMIN_PORT: '0' }, hooked)
  expect(readdirSync(folder).sort()).toEqual(['gloss.log', 'gloss.log.1', 'hooks.mjs'])
})

test('SIGHUP while a worker is replaced reaches that worker, too', async () => {
  const log = join(folder, 'gloss.log')
  const armed = join(folder, 'armed')
  const code = `
    if (cluster.isWorker && existsSync(${JSON.stringify(armed)})) {
      rmSync(${JSON.stringify(armed)})
      renameSync(log, \`\${log}.1\`)
      process.kill(process.ppid, 'SIGHUP')
      while (!existsSync(log));
    }`
  const { child } = await start({ LOG_FILE: log, WORKERS: '2' }, running(code, 'app'))
  writeFileSync(armed, '')
  const [first] = childrenOf(child.pid)
  process.kill(Number(first), 'SIGKILL')
  while (existsSync(armed)) await sleep(20)
  const haveIt = (): boolean => {
    const workers = childrenOf(child.pid)
    return (
      workers.length === 2 && !workers.includes(first) && workers.every((pid) => filesOf(pid).includes(log))
    )
  }
  while (!haveIt()) await sleep(20)
})

/** The process ids of the children of a process. */
const childrenOf = (pid: number | undefined): (string | undefined)[] =>
  readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8')
    .trim()
    .split(' ')

/** The files that a process has open. */
const filesOf = (pid: string | undefined): string[] => {
  const folder = `/proc/${String(pid)}/fd`
  return readdirSync(folder).flatMap((name) => {
    try {
      return readlinkSync(join(folder, name))
    } catch {
      // It was closed meanwhile.
      return []
    }
  })
}

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
  const line = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')
  return line.startsWith(process.execPath) ? Number(pid) : serviceUnder(Number(childrenOf(pid)[0]))
}
