/** What signals do: the first has everything stopped in order, and a later one ends the process at once. */
import cluster from 'node:cluster'

/** The status of a process that ends at once, by signal. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * A single Ctrl-C arrives several times: from the terminal, and from each npm in between. What comes within this time
 * of the first signal, in milliseconds, repeats it.
 */
const REPEAT_MS = 1000

/**
 * Listens to signals, which end the process at once until the function returned is given what stops it. A worker leaves
 * later signals to the primary process, without which it ends, too.
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
 * Ends the process without a last word: the log would wait for a reader who stands still. Another program takes its place, as
 * `process.exit` would wait for a thread that is writing, for ever.
 */
export function endAtOnce(status: number): void {
  process.removeAllListeners('exit')
  const { execPath } = process
  if (process.platform !== 'win32')
    process.execve?.(execPath, [execPath, '-e', `process.exit(${String(status)})`], {})
  process.exit(status)
}
