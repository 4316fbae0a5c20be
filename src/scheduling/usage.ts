/** How much of the store a request uses, noted at the place of use, so that the layers in between need not pass it on. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** The usage of a request so far. */
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

/** The usage of a new request. */
export const noUsage = (): Usage => ({ waitingMs: 0, databaseMs: 0, rows: 0, retries: [] })

/** Runs `work`; adds its usage to `usage`. */
export const using = <T>(usage: Usage, work: () => T): T => usages.run(usage, work)

/** Returns `work` so that its usage counts for the present request, and not for the request that later runs it. */
export function asNow<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  const usage = usages.getStore()
  // `AsyncLocalStorage.bind` would make a resource each time, which takes a tenth of the time of a single write on SQLite.
  return (...args) => usages.run(usage, () => work(...args))
}

/** Runs `work` so that its usage counts for no request. */
export const forNobody = <T>(work: () => T): T => usages.exit(work)

/** Begins to wait for a place or a connection; the caller calls the returned function once it has one. */
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

/** Notes a pending command; `rowsOf` counts the rows of a result. */
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

/** Notes a command that runs synchronously; `rowsOf` counts the rows of its result. */
export function notingNow<T>(run: () => T, rowsOf: (result: T) => number): T {
  const usage = usages.getStore()
  if (usage === undefined) return run()
  const start = performance.now()
  const result = run()
  usage.databaseMs += performance.now() - start
  usage.rows += rowsOf(result)
  return result
}

/** Notes a retry. */
export const noteRetry = (cause: string): void => void usages.getStore()?.retries.push(cause)
