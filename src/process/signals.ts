/** Handles signals: the first one stops everything in order, and a later one ends the process at once. */
import cluster from 'node:cluster'
import { closeSync, openSync } from 'node:fs'

/** The exit status of a process that a signal ends at once. */
const STATUSES = { SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const

/** Signals that make the process read again what it has read. Node by itself opens its debugger at SIGUSR1. */
const REREADING = ['SIGUSR1', 'SIGUSR2'] as const

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

let isListening = false
let handlers: Handlers | undefined
/** When the first signal to stop arrived. */
let first: number | undefined
/** Whether a signal to read again arrived before the handlers were known. */
let isRereadDue = false

/**
 * Listens to signals, unless this process does already. Signals to stop end it at once until `handleSignals` is called. A
 * worker leaves later signals to the primary process; when that ends, the worker ends, too. SIGHUP stops a process that has
 * a terminal, and makes any other one read again what it has read.
 */
export function listenToSignals(): void {
  if (isListening) return
  isListening = true
  const isOnTerminal = hasTerminal()
  for (const [signal, status] of Object.entries({ ...STATUSES, ...(isOnTerminal && { SIGHUP: 129 }) })) {
    // Also at the start: the first process of a container gets only signals that it listens to.
    process.on(signal, () => {
      stop(status)
    })
  }
  for (const signal of [...REREADING, ...(isOnTerminal ? [] : ['SIGHUP'])]) process.on(signal, reread)
}

/** Makes signals call `given`, at once if one to read again has arrived meanwhile. */
export function handleSignals(given: Handlers): void {
  handlers = given
  if (isRereadDue) reread()
}

function stop(status: number): void {
  if (handlers === undefined) {
    endAtOnce(status)
  } else if (first === undefined) {
    first = performance.now()
    void handlers.stop()
  } else if (!cluster.isWorker && performance.now() - first >= REPEAT_MS) {
    endAtOnce(status)
  }
}

function reread(): void {
  isRereadDue = handlers === undefined
  handlers?.reread()
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
