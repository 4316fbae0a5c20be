/**
 * Several processes that serve one port: the primary process starts them, replaces those that crash or no longer answer, and
 * stops them.
 */
import cluster, { type Worker } from 'node:cluster'
import type { AddressInfo } from 'node:net'

/** How long to wait before replacing a crashed worker, so that a fault at the start does not cause a tight loop. */
const PAUSE_MS = 1000

/** How often a worker reports that it lives, and the primary process checks the reports, in milliseconds. */
const BEAT_MS = 1000
/** After how many checks a silent worker counts as not listening. */
const QUIET = 5
/** After how many checks it is replaced: no turn of the event loop takes so long, even on a slow machine. */
const GONE = 30

/** The report of a worker. */
const BEAT = { worker: 'lives' } as const

const isBeat = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'worker' in message

/** Makes this worker report that it lives. */
export function beat(): void {
  const say = (): void => {
    // If the primary process has ended, the worker ends, too.
    if (process.connected) process.send?.(BEAT, undefined, {}, () => undefined)
  }
  say()
  setInterval(say, BEAT_MS).unref()
}

/** Running workers. */
export interface Workers {
  /** The port that they listen on. */
  readonly port: number
  /** How many of them listen and answer at present. */
  readonly listening: () => number
  /** Lets them finish their requests; resolves when all have exited. */
  readonly stop: () => Promise<void>
}

/** The workers that listen. */
const listeners = new Set<Worker>()

/** The workers that are to read their files again once they listen. */
const late = new Set<Worker>()

/** Makes the workers read their files again. A signal would end one that has not loaded its handlers yet. */
export function rereadWorkers(): void {
  for (const worker of Object.values(cluster.workers ?? {})) {
    if (worker === undefined) continue
    if (listeners.has(worker)) worker.process.kill(REREAD)
    else late.add(worker)
  }
}

/** Unlike SIGHUP, it does so also on a terminal. */
const REREAD = 'SIGUSR1'

function keepListeners(): void {
  cluster.on('listening', (worker) => {
    listeners.add(worker)
    if (late.delete(worker)) worker.process.kill(REREAD)
  })
  cluster.on('exit', (worker) => {
    listeners.delete(worker)
    late.delete(worker)
  })
}

/** The variable by which a worker learns where the data of the primary process is. */
const DATA = 'GLOSS_DATA_OF_PRIMARY'

/** Throws in a worker whose data would be elsewhere: one that is replaced reads the file of the database URL afresh. */
export function checkData(whereabouts: string): void {
  const other = process.env[DATA]
  if (!cluster.isWorker || other === whereabouts) return
  throw new Error(
    `DATABASE_URL names ${whereabouts}, but the service runs on ${String(other)}: restart the service to change that`,
  )
}

/** What the workers are to know. */
interface Dependencies {
  /** Where the data is, without the password. */
  readonly whereabouts: string
  readonly report: (message: string) => void
}

/** Starts `count` workers, each of which runs this program again. Rejects if one exits before all are listening. */
export async function startWorkers(count: number, { whereabouts, report }: Dependencies): Promise<Workers> {
  const forked = (): Worker => fork({ [DATA]: whereabouts })
  let stopping = false
  keepListeners()
  const silent = watching((worker) => {
    report(`the worker ${String(worker.process.pid)} has not answered for ${String(GONE)} s and is ended`)
    worker.process.kill('SIGKILL')
  })
  const started = Array.from({ length: count }, () => beginning(forked()))
  const [port = 0] = await Promise.all(started)
  const replace = (why: string): void => {
    if (stopping) return
    report(why)
    setTimeout(() => {
      if (!stopping) forked().once(NOT_BEGUN, replace)
    }, PAUSE_MS)
  }
  cluster.on('exit', (worker, code, signal) => {
    replace(
      `the worker ${String(worker.process.pid)} fell (${signal === '' ? `exit ${String(code)}` : signal})`,
    )
  })
  const stop = async (): Promise<void> => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.process.pid !== undefined)
    await Promise.all(workers.map((worker) => ended(worker as Worker)))
  }
  const listening = (): number => [...listeners].filter((worker) => silent(worker) < QUIET).length
  return { port, listening, stop }
}

/** The event of a worker that the system could not start, with a message; such a worker emits no exit. */
const NOT_BEGUN = 'not begun'

/** Starts a worker. If a message cannot reach a worker that is crashing, that is no error. */
function fork(env: object): Worker {
  const worker = cluster.fork(env)
  worker.on('error', ({ message }: Error) => {
    if (worker.process.pid === undefined) worker.emit(NOT_BEGUN, `a worker could not begin: ${message}`)
  })
  return worker
}

/**
 * Watches the workers, and calls `gone` for each that has been silent for too long. Returns a function for the number of
 * checks that a worker was silent for. It counts checks, not time, so that a delay of the primary process does not count.
 */
function watching(gone: (worker: Worker) => void): (worker: Worker) => number {
  const looks = new Map<Worker, number>()
  cluster.on('message', (worker, message: unknown) => {
    if (isBeat(message)) looks.set(worker, 0)
  })
  cluster.on('exit', (worker) => looks.delete(worker))
  setInterval(() => {
    for (const [worker, count] of looks) {
      looks.set(worker, count + 1)
      if (count + 1 === GONE) gone(worker)
    }
  }, BEAT_MS).unref()
  return (worker) => looks.get(worker) ?? 0
}

/** Resolves to the port that a worker listens on. */
function beginning(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }: AddressInfo) => {
      resolve(port)
    })
    worker.once('exit', () => {
      reject(new Error('a worker could not start; the reason stands above'))
    })
    worker.once(NOT_BEGUN, (why: string) => {
      reject(new Error(why))
    })
  })
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => {
      resolve()
    })
    worker.process.kill('SIGTERM')
  })
}
