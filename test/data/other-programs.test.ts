/** Other programs use the file of SQLite while the service does: nothing that was acknowledged is lost. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openFile } from '../../src/data/database/sqlite/sqlite-file.ts'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { gloss } from '../support/gloss.ts'
import { listening, runProcess, type ServiceProcess } from '../support/process.ts'
import { installedProgram } from '../support/programs.ts'
import { send } from '../support/service.ts'

const PASSWORD = 'the password of the operator'

let sqlite3: string
let python: string
let copies: string
let database: FreshDatabase
let service: ServiceProcess
let url: string

beforeAll(() => {
  sqlite3 = installedProgram(['sqlite3'], 'sqlite3', 'Install the command sqlite3.')
  python = installedProgram(['python3'], 'python3', 'Install Python 3.')
  copies = mkdtempSync(join(tmpdir(), 'gloss-copies-'))
})
afterAll(() => {
  rmSync(copies, { recursive: true })
})
beforeEach(async () => {
  database = await freshDatabase('sqlite')
  await start()
})
afterEach(async () => {
  await end('SIGKILL')
  await database.drop()
})

const serve = (): ServiceProcess => runProcess({ DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD })

async function start(): Promise<void> {
  service = serve()
  url = `http://127.0.0.1:${String(await listening(service))}`
}

function end(signal: NodeJS.Signals): Promise<number | null> {
  service.process.kill(signal)
  return service.end
}

/** Makes an object, which the service acknowledges. */
async function write(about: string): Promise<void> {
  const options = { as: 'service', password: PASSWORD, json: { about } }
  expect((await send(url, 'POST', '/objects', options)).status).toBe(201)
}

/** Those of the objects that are not there. */
async function missing(abouts: readonly string[]): Promise<string[]> {
  const absent: string[] = []
  for (const about of abouts)
    if ((await send(url, 'GET', `/about/${encodeURIComponent(about)}`, {})).status !== 200) absent.push(about)
  return absent
}

const file = (): string => database.url.slice('sqlite:'.length)
let made = 0
const copy = (): string => join(copies, String(made++))

/** Runs a program to its end, which must be a good one. */
async function run(program: string, ...args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said += part.toString()))
  const [status] = (await once(child, 'close')) as [number]
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${said}`)
}

const PYTHON = `import sqlite3, sys
store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=600)
`
const READS = `${PYTHON}store.execute("SELECT count(*) FROM tags").fetchone()`
const LOCKS = `${PYTHON}store.execute("BEGIN IMMEDIATE"); store.execute("ROLLBACK"); store.close()`
const COPIES = `${PYTHON}store.backup(sqlite3.connect(sys.argv[2]))`

/** What other programs do with the file, in turn. */
const PROGRAMS: Readonly<Record<string, () => Promise<void>>> = {
  'sqlite3 reads': () => run(sqlite3, file(), 'SELECT count(*) FROM sqlite_master'),
  'sqlite3 takes a backup': () => run(sqlite3, file(), '.timeout 600000', `.backup '${copy()}'`),
  'sqlite3 writes a compact copy': () => run(sqlite3, file(), '.timeout 600000', `VACUUM INTO '${copy()}'`),
  'Python reads': () => run(python, '-c', READS, file()),
  'Python takes the lock of writers': () => run(python, '-c', LOCKS, file()),
  'Python takes a backup': () => run(python, '-c', COPIES, file(), copy()),
  'cp copies': () => run('cp', file(), copy()),
  'tar archives': () => run('tar', '-cf', copy(), '--warning=no-file-changed', '-C', '/', file().slice(1)),
  'chmod opens and closes it': () => {
    chmodSync(file(), 0o644)
    chmodSync(file(), 0o600)
    return Promise.resolve()
  },
  'gloss check reads': () => runGloss('check'),
  'gloss doctor looks': () => runGloss('doctor'),
  'gloss backup copies': () => runGloss('backup', copy()),
  'a second service starts and stops': async () => {
    const second = serve()
    await listening(second)
    second.process.kill('SIGTERM')
    expect(await second.end).toBe(0)
  },
}

async function runGloss(...args: string[]): Promise<void> {
  const { stderr } = await gloss(args, { env: { DATABASE_URL: database.url } })
  expect(stderr).not.toContain('fault of gloss')
}

/** The locks of a process on a file, which any descriptor of the file that it closes would drop (fcntl(2)). */
function locks(pid: number, path: string): string[] {
  const inode = String(statSync(path).ino)
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter(
      (line) => line.includes(` POSIX `) && line.includes(` ${String(pid)} `) && line.includes(`:${inode} `),
    )
}

/** The files of the store that a process has open although they are in no folder any more. */
const deleted = (pid: number): string[] =>
  readdirSync(`/proc/${String(pid)}/fd`).flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/${String(pid)}/fd/${fd}`)
      return target.startsWith(file()) && target.endsWith(' (deleted)') ? [target] : []
    } catch {
      // It was closed meanwhile.
      return []
    }
  })

/** Runs each program, and writes before and after it; returns what was written. */
async function runAll(): Promise<string[]> {
  const written: string[] = []
  for (const [name, runProgram] of Object.entries(PROGRAMS)) {
    await runProgram()
    const pid = service.process.pid ?? 0
    expect([name, deleted(pid)]).toEqual([name, []])
    expect([name, locks(pid, file()).length > 0]).toEqual([name, true])
    await write(`after ${name}`)
    written.push(`after ${name}`)
  }
  return written
}

test('a service without requests keeps its locks and its log, and after kill -9 everything is there', async () => {
  const written = await runAll()
  await end('SIGKILL')
  await start()
  expect(await missing(written)).toEqual([])
})

test('a service that writes all the time does, too', async () => {
  const written: string[] = []
  const done = new AbortController()
  const work = (async () => {
    for (let i = 0; !done.signal.aborted; i++) {
      await write(`beside ${String(i)}`)
      written.push(`beside ${String(i)}`)
    }
  })()
  try {
    written.push(...(await runAll()))
  } finally {
    done.abort()
  }
  await work
  await end('SIGKILL')
  await start()
  expect(await missing(written)).toEqual([])
})

test('gloss check and gloss doctor name a service whose write-ahead log was deleted', async () => {
  await write('before')
  const env = { DATABASE_URL: database.url }
  expect(await gloss(['check'], { env })).toMatchObject({ status: 0 })
  rmSync(`${file()}-wal`)
  const what = `process ${String(service.process.pid)} writes into ${file()}-wal, which was deleted`
  const checked = await gloss(['check'], { env })
  expect(checked.status).not.toBe(0)
  expect(checked.stdout).toContain(what)
  const examined = await gloss(['doctor'], { env })
  expect(examined.status).not.toBe(0)
  expect(examined.stdout).toContain(what)
})

test('only a migration creates a missing file, which its owner alone may read', () => {
  const missing = copy()
  expect(() => openFile(`sqlite:${missing}`, { mayCreate: false })).toThrow('unable to open')
  expect(existsSync(missing)).toBe(false)
  openFile(`sqlite:${missing}`, { mayCreate: true }).close()
  expect(statSync(missing).mode & 0o777).toBe(0o600)
})
