/**
 * Several processes that serve one port: the primary process starts them, replaces those that crash, and stops them.
 */
import cluster, { type Worker } from 'node:cluster'
import type { AddressInfo } from 'node:net'

/** How long to wait before replacing a crashed worker, so that a fault at the start does not cause a tight loop. */
const PAUSE_MS = 1000

/** Running workers. */
export interface Workers {
  /** The port that they listen on. */
  readonly port: number
  /** How many of them listen at present. */
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
  const started = Array.from({ length: count }, () => listening(cluster.fork()))
  const [port = 0] = await Promise.all(started)
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    report(
      `the worker ${String(worker.process.pid)} fell (${signal === '' ? `exit ${String(code)}` : signal})`,
    )
    setTimeout(() => {
      if (!stopping) cluster.fork()
    }, PAUSE_MS)
  })
  const stop = async (): Promise<void> => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(workers.map(ended))
  }
  return { port, listening: () => now.size, stop }
}

function listening(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }: AddressInfo) => {
      resolve(port)
    })
    worker.once('exit', () => {
      reject(new Error('a worker could not start; the reason stands above'))
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
