/**
 * Sends batches of rows. It retries as the service asks, and halves a refused batch until it has found the refused rows.
 */
import type { Client } from '../../packages/client/client.ts'
import { pause } from '../../packages/client/sending.ts'
import { ServiceError } from '../../packages/client/service-error.ts'
import type { Ready } from './converting.ts'
import type { RefusedRow } from './refusals.ts'

/** Statuses of temporary errors: the service is busy, restarting or unreachable behind a proxy. */
const PASSING = [408, 429, 502, 503, 504]

/** Errors that concern all rows: missing credentials or permissions, and missing tags and namespaces. */
const FOR_ALL = ['TUnauthorized', 'TPathPermissionDenied', 'TNonexistentNamespace', 'TNonexistentTag']

/** The seconds before a retry if the answer has no Retry-After: the first and the longest wait. */
const FIRST_WAIT = 1
const LONGEST_WAIT = 30
/** The total seconds of waiting after which the import gives up. */
const PATIENCE = 600

/** Sends elements of PUT /values, each as JSON text, so that numbers keep all their digits. */
export async function putElements(client: Client, elements: readonly string[]): Promise<void> {
  await client.PUT('/values', {
    body: `{"queries":[${elements.join()}]}` as never,
    bodySerializer: (text: unknown) => text as string,
    headers: { 'Content-Type': 'application/json' },
  })
}

/** The functions with which `Sender` sends batches. */
export interface Sending {
  /** Sends elements of PUT /values, each as JSON text. */
  readonly put: (elements: readonly string[]) => Promise<unknown>
  /** Returns whether an error means that the service does not answer. */
  readonly isAway: (error: unknown) => boolean
  /** Explains an error for the person who corrects the row. */
  readonly reasonOf: (error: ServiceError) => string
  /** Aborts the waiting. */
  readonly signal: AbortSignal
  /** Receives each wait. */
  readonly waiting: (seconds: number, why: string) => void
}

/** Sends batches of values. */
export class Sender {
  readonly #sending: Sending
  #hasAnswered = false

  constructor(sending: Sending) {
    this.#sending = sending
  }

  /** Writes these rows, and returns the rows that the service refuses. Throws errors that concern all rows. */
  async send(rows: readonly Ready[]): Promise<RefusedRow[]> {
    const [first] = rows
    if (first === undefined) return []
    const elements = rows.map(({ element }) => element)
    const reason = await this.attempt(() => this.#sending.put(elements))
    if (reason === undefined) return []
    if (rows.length === 1) return [{ row: first.row, reason }]
    const middle = rows.length >> 1
    // This keeps the order of the rows: the last row about an object determines its values.
    const before = await this.send(rows.slice(0, middle))
    return [...before, ...(await this.send(rows.slice(middle)))]
  }

  /**
   * Runs idempotent work, and retries it after temporary errors. Returns the reason of a refusal that may concern single
   * rows; throws errors that concern all rows.
   */
  async attempt(work: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await this.#patiently(work)
      return undefined
    } catch (error) {
      if (error instanceof RangeError) return error.message
      if (!isAboutRows(error)) throw error
      return this.#sending.reasonOf(error)
    }
  }

  async #patiently(work: () => Promise<unknown>): Promise<void> {
    let waited = 0
    for (let usual = FIRST_WAIT; ; usual = Math.min(usual * 2, LONGEST_WAIT)) {
      try {
        await work()
        this.#hasAnswered = true
        return
      } catch (error) {
        this.#hasAnswered ||= error instanceof ServiceError
        const seconds = this.#waitFor(error, usual)
        if (seconds === undefined || waited >= PATIENCE) throw error
        waited += seconds
        const why = error instanceof ServiceError ? `status ${error.status}` : 'nobody answers'
        this.#sending.waiting(seconds, why)
        await pause(seconds, this.#sending.signal)
      }
    }
  }

  /** The seconds to wait before a retry; undefined if a retry is useless. */
  #waitFor(error: unknown, usual: number): number | undefined {
    if (error instanceof ServiceError)
      return PASSING.includes(error.status) ? (error.retryAfter ?? usual) : undefined
    // A service that has never answered probably has a wrong address.
    return this.#sending.isAway(error) && this.#hasAnswered ? usual : undefined
  }
}

/** Returns whether a refusal may concern single rows. */
function isAboutRows(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.status >= 500 || PASSING.includes(error.status)) return false
  return error.status !== 401 && !FOR_ALL.includes(error.errorClass ?? '')
}
