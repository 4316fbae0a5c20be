/** The measured processes of Gloss and of the hand-written SQL, and the system's data about processes. */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { freePort } from '../test/support/ports.ts'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Reply, Task, Turn } from './by-hand.ts'
import type { Loaded, LoadTask } from './load-by-hand.ts'
import type { PageShape } from './searches.ts'

const root = dirname(import.meta.dirname)

/** The superuser's password in a new store. */
export const ADMIN_PASSWORD = 'measured'

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    process.exit(1)
  })
}

/** Stops a process when this one ends. */
function kept(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

/** A running Gloss. */
export interface Gloss {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
  /** Kills it at once, also if it no longer reacts. */
  kill(): Promise<void>
}

/** The differences of a Gloss from the default. */
export interface Variant {
  /** The folder of its checkout; by default this one. */
  readonly root?: string
  /** Whether it runs the result of `npm run build`, as operators do, instead of its sources. */
  readonly built?: true
  /** Further environment variables. */
  readonly settings?: Readonly<Record<string, string>>
  /** The destination of its log; by default `var/bench/gloss.log`, a file as for a real service. */
  readonly log?: 'ignore'
}

function logFile(): number {
  const folder = join(root, 'var', 'bench')
  mkdirSync(folder, { recursive: true })
  return openSync(join(folder, 'gloss.log'), 'w')
}

const programOf = ({ root: from = root, built }: Variant): string =>
  built ? join(from, 'dist', 'src', 'main.js') : join(from, 'src', 'main.ts')

/** Starts Gloss on a database. */
export async function startGloss(databaseUrl: string, variant: Variant = {}): Promise<Gloss> {
  const port = await freePort()
  const own = { PORT: String(port), ADMIN_PASSWORD, DATABASE_URL: databaseUrl }
  const child: ChildProcess = spawn(process.execPath, [programOf(variant)], {
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '4194304', ...variant.settings, ...own },
    stdio: ['ignore', 'pipe', variant.log ?? logFile()],
  })
  kept(child)
  const lines = createInterface(child.stdout as Readable)
  await Promise.race([once(lines, 'line'), failure(child, 'Gloss')])
  return {
    port,
    pid: child.pid ?? 0,
    stop: () => ended(child, () => child.kill('SIGTERM')),
    kill: () => ended(child, () => child.kill('SIGKILL')),
  }
}

/** A running process for hand-written SQL. */
export interface ByHandProcess {
  readonly port: number
  readonly pid: number
  ask(ask: Task['ask'], work: string, form?: readonly string[]): Promise<Reply>
  /** Opens a page, with which its server then answers. */
  turnTo(page: PageShape): Promise<void>
  stop(): Promise<void>
}

/** Starts a process for hand-written SQL on a database. */
export async function startByHand(databaseUrl: string): Promise<ByHandProcess> {
  const { hello, pid, send, stop } = await startAnswering<Task | Turn, Reply>('by-hand.ts', databaseUrl)
  return {
    port: hello as number,
    pid,
    ask: (ask, work, form) =>
      send(work, (number) => ({ number, ask, work, ...(form === undefined ? {} : { form }) })),
    async turnTo(page) {
      await send(page.name, (number) => ({ number, page }))
    },
    stop,
  }
}

/** A running process that loads cities by hand. */
export interface LoadProcess {
  readonly pid: number
  /** Makes the rows of that many cities from this one on. */
  prepare(from: number, count: number): Promise<void>
  /** Stores them in one transaction; returns the milliseconds. */
  store(): Promise<number>
  stop(): Promise<void>
}

/** Starts a process that loads cities by hand into a database. */
export async function startLoadByHand(databaseUrl: string): Promise<LoadProcess> {
  const { pid, send, stop } = await startAnswering<LoadTask, Loaded>('load-by-hand.ts', databaseUrl)
  return {
    pid,
    async prepare(from, count) {
      await send('cities', (number) => ({ number, from, count }))
    },
    store: async () => (await send('cities', (number) => ({ number, store: true }))).ms,
    stop,
  }
}

/** A process that answers messages one by one; `hello` is its first message. */
interface Answering<T, R> {
  readonly hello: unknown
  readonly pid: number
  /** Sends the message with this number; throws if the answer reports a failure; `what` names the work. */
  readonly send: (what: string, task: (number: number) => T) => Promise<R>
  readonly stop: () => Promise<void>
}

async function startAnswering<
  T extends object,
  R extends { readonly number: number; readonly error?: string },
>(program: string, databaseUrl: string): Promise<Answering<T, R>> {
  const child = fork(join(import.meta.dirname, program), [databaseUrl])
  kept(child)
  const failed = failure(child, 'The work by hand')
  const [hello] = (await Promise.race([once(child, 'message'), failed])) as [unknown]
  const waiting = new Map<number, (reply: R) => void>()
  child.on('message', (reply: R) => {
    waiting.get(reply.number)?.(reply)
    waiting.delete(reply.number)
  })
  let asked = 0
  return {
    hello,
    pid: child.pid ?? 0,
    async send(what, task) {
      const number = ++asked
      const reply = new Promise<R>((resolve) => waiting.set(number, resolve))
      child.send(task(number))
      const answer = await Promise.race([reply, failed])
      if (answer.error !== undefined) throw new Error(`by hand, ${what}: ${answer.error}`)
      return answer
    },
    stop: () => ended(child, () => child.disconnect()),
  }
}

/** Rejects if the process ends unexpectedly. */
function failure(child: ChildProcess, what: string): Promise<never> {
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code) => {
      reject(new Error(`${what} ended with ${String(code)}`))
    })
  })
  failed.catch(() => undefined)
  return failed
}

/** Stops a process, unless it has ended. */
async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  end()
  await exit
}

/** A process and all its descendants. */
function family(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      parent: Number(/^PPid:\s*(\d+)/m.exec(procFile(`/proc/${name}/status`))?.[1]),
    }))
  const found = [pid]
  for (const one of found)
    found.push(...parents.filter(({ parent }) => parent === one).map((child) => child.pid))
  return found
}

/** A file in /proc about a process; empty if the process has ended. */
function procFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The last known processor time of each thread of a process and its descendants; a thread still counts after its end. */
const used = new Map<number, Map<string, number>>()

/** Milliseconds of processor time of these processes and their descendants. */
export const cpuMs = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuOf(pid), 0)

function cpuOf(root: number): number {
  const times = used.get(root) ?? new Map<string, number>()
  used.set(root, times)
  for (const pid of family(root)) {
    for (const id of readdirSync(`/proc/${pid}/task`)) {
      const [nanoseconds = ''] = procFile(`/proc/${pid}/task/${id}/schedstat`).split(' ')
      if (nanoseconds !== '') times.set(`${pid}/${id}`, Number(nanoseconds) / 1e6)
    }
  }
  return [...times.values()].reduce((sum, ms) => sum + ms, 0)
}

/** Resident memory, in MB, of a process and its descendants. */
export function residentMb(pid: number): number {
  const kilobytes = family(pid).map((one) =>
    Number(/^VmRSS:\s*(\d+)/m.exec(procFile(`/proc/${one}/status`))?.[1] ?? 0),
  )
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024
}
