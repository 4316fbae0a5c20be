/** What a request uses of the store, noted where it is used: the layers in between need not pass it on. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** What a request has used so far. */
export interface Usage {
  /** How long it waited for places and connections, in milliseconds. */
  waitingMs: number
  /** How long its statements took, in milliseconds; those that ran at the same time count one by one. */
  databaseMs: number
  /** How many rows its statements returned or changed. */
  rows: number
  /** Why its transactions ran again. */
  readonly retries: string[]
}

const usages = new AsyncLocalStorage<Usage | undefined>()

/** Nothing yet. */
export const noUsage = (): Usage => ({ waitingMs: 0, databaseMs: 0, rows: 0, retries: [] })

/** Runs `work`; what it uses is added to `usage`. */
export const using = <T>(usage: Usage, work: () => T): T => usages.run(usage, work)

/** Returns `work` so that what it uses counts for whoever asks for it now, and not for whoever has it run later. */
export function asNow<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  const usage = usages.getStore()
  // `AsyncLocalStorage.bind` would make a resource each time, which is a tenth of what a single write on SQLite costs.
  return (...args) => usages.run(usage, () => work(...args))
}

/** Runs `work` so that what it uses counts for nobody. */
export const forNobody = <T>(work: () => T): T => usages.exit(work)

/** Begins to wait for a place or a connection; the function returned is to be called once there is one. */
export function beginWait(): () => void {
  const usage = usages.getStore()
  const start = performance.now()
  return () => {
    if (usage !== undefined) usage.waitingMs += performance.now() - start
  }
}

/** Waits for a place or a connection. */
export function notingWait<T>(wait: () => Promise<T>): Promise<T> {
  const waited = beginWait()
  return wait().finally(waited)
}

/** Notes a command whose result is on its way; `rowsOf` counts the rows of a result. */
export function noting<T>(result: Promise<T>, rowsOf: (result: T) => number): Promise<T> {
  const usage = usages.getStore()
  if (usage === undefined) return result
  const start = performance.now()
  return result.then(
    (value) => {
      usage.databaseMs += performance.now() - start
      usage.rows += rowsOf(value)
      return value
    },
    (error: unknown) => {
      usage.databaseMs += performance.now() - start
      throw error
    },
  )
}

/** Notes a command that runs here and now; `rowsOf` counts the rows of its result. */
export function notingNow<T>(run: () => T, rowsOf: (result: T) => number): T {
  const usage = usages.getStore()
  if (usage === undefined) return run()
  const start = performance.now()
  const result = run()
  usage.databaseMs += performance.now() - start
  usage.rows += rowsOf(result)
  return result
}

/** Notes that something runs again. */
export const noteRetry = (cause: string): void => void usages.getStore()?.retries.push(cause)
