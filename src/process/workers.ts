/**
 * Several processes that serve one port: the primary process starts them, replaces those that crash or no longer answer, and
 * stops them.
 */
import cluster, { type Worker } from 'node:cluster'
import type { AddressInfo } from 'node:net'

/** How long to wait before replacing a crashed worker, so that a fault at the start does not cause a tight loop. */
const PAUSE_MS = 1000

/** How often a worker says that it lives, and the primary process looks who has not, in milliseconds. */
const BEAT_MS = 1000
/** After how many looks a silent worker counts as one that does not listen. */
const QUIET = 5
/** After how many looks it is replaced: no work of one turn takes so long, on a slow machine neither. */
const GONE = 30

/** What a worker says. */
const BEAT = { worker: 'lives' } as const

const isBeat = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'worker' in message

/** Has this worker say that it lives, for as long as it does. */
export function beat(): void {
  const say = (): void => {
    // Without a primary process the worker ends, too.
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

/** Starts `count` workers, each of which runs this program again. Rejects if one exits before all are listening. */
export async function startWorkers(count: number, report: (message: string) => void): Promise<Workers> {
  let stopping = false
  const now = new Set<Worker>()
  cluster.on('listening', (worker) => now.add(worker))
  cluster.on('exit', (worker) => now.delete(worker))
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
  const listening = (): number => [...now].filter((worker) => silent(worker) < QUIET).length
  return { port, listening, stop }
}

/** The event of a worker that the system did not let begin, with a sentence that says so; it has no exit. */
const NOT_BEGUN = 'not begun'

/** Starts a worker. That it cannot be told something, as it is falling, is no error. */
function forked(): Worker {
  const worker = cluster.fork()
  worker.on('error', ({ message }: Error) => {
    if (worker.process.pid === undefined) worker.emit(NOT_BEGUN, `a worker could not begin: ${message}`)
  })
  return worker
}

/**
 * Watches the workers, and calls `gone` for each that has been silent for too long. Returns how many looks a worker has been
 * silent for. Looks are counted, not time: a primary process that was held up itself counts nothing against them.
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
