/** Handles signals: the first one stops everything in order, and a later one ends the process at once. */
import cluster from 'node:cluster'

/** The exit status of a process that a signal ends at once. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * A single Ctrl-C arrives several times: from the terminal, and from each npm in between. Signals within this time of the
 * first one, in milliseconds, count as its repetitions.
 */
const REPEAT_MS = 1000

/**
 * Listens to signals. They end the process at once until the caller passes a `stop` to the function returned. A worker
 * leaves later signals to the primary process; when that ends, the worker ends, too.
 */
export function listenToSignals(): (stop: () => Promise<void>) => void {
  let stop: (() => Promise<void>) | undefined
  let first: number | undefined
  for (const [signal, status] of Object.entries(STATUSES)) {
    // Also at the start: the first process of a container gets only signals that it listens to.
    process.on(signal, () => {
      if (stop === undefined) {
        endAtOnce(status)
      } else if (first === undefined) {
        first = performance.now()
        void stop()
      } else if (!cluster.isWorker && performance.now() - first >= REPEAT_MS) {
        endAtOnce(status)
      }
    })
  }
  return (given) => {
    stop = given
  }
}

/**
 * Ends the process without writing the end of the log, which would wait for a reader that does not read. Another program
 * takes the place of this one, since `process.exit` would wait for ever for a thread that is writing.
 */
export function endAtOnce(status: number): void {
  process.removeAllListeners('exit')
  const { execPath } = process
  if (process.platform !== 'win32')
    process.execve?.(execPath, [execPath, '-e', `process.exit(${String(status)})`], {})
  process.exit(status)
}
