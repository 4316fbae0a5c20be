/** Handles signals: the first one stops everything in order, and a later one ends the process at once. */
import cluster from 'node:cluster'
import { closeSync, openSync } from 'node:fs'

/** The exit status of a process that a signal ends at once. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const

/** What signals do once the service has started. */
interface Handlers {
  readonly stop: () => Promise<void>
  /** Reads again what an operator may have changed. */
  readonly reread: () => void
}

/**
 * A single Ctrl-C arrives several times: from the terminal, and from each npm in between. Signals within this time of the
 * first one, in milliseconds, count as its repetitions.
 */
const REPEAT_MS = 1000

/**
 * Listens to signals. They end the process at once until the caller passes handlers to the function returned. A worker
 * leaves later signals to the primary process; when that ends, the worker ends, too. SIGHUP stops a process that has a
 * terminal, and makes any other one read again what it has read.
 */
export function listenToSignals(): (handlers: Handlers) => void {
  let handlers: Handlers | undefined
  let first: number | undefined
  const isOnTerminal = hasTerminal()
  for (const [signal, status] of Object.entries({ ...STATUSES, ...(isOnTerminal && { SIGHUP: 129 }) })) {
    // Also at the start: the first process of a container gets only signals that it listens to.
    process.on(signal, () => {
      if (handlers === undefined) {
        endAtOnce(status)
      } else if (first === undefined) {
        first = performance.now()
        void handlers.stop()
      } else if (!cluster.isWorker && performance.now() - first >= REPEAT_MS) {
        endAtOnce(status)
      }
    })
  }
  if (!isOnTerminal) process.on('SIGHUP', () => handlers?.reread())
  return (given) => {
    handlers = given
  }
}

/** Whether the process has a terminal, which sends SIGHUP when it is closed. When that arrives, the terminal is gone. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return process.platform === 'win32'
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
