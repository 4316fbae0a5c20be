/** Sending a batch: waiting as the service tells, and dividing what it refuses until the refused rows are found. */
import type { Client } from '../../packages/client/client.ts'
import { ServiceError } from '../../packages/client/service-error.ts'
import type { Ready } from './converting.ts'
import type { RefusedRow } from './refusals.ts'

/** What may pass by itself: a service that is busy, restarting or away, and what a proxy says then. */
const PASSING = [408, 429, 502, 503, 504]

/** What no other row changes: who asks, and what that user may do. */
const FOR_ALL = ['TUnauthorized', 'TPathPermissionDenied', 'TNonexistentNamespace', 'TNonexistentTag']

/** The seconds to wait where nobody says how many: at first, and at most. */
const FIRST_WAIT = 1
const LONGEST_WAIT = 30
/** After so many seconds without an answer it is given up. */
const PATIENCE = 600

/** Sends elements of PUT /values, each as JSON, whose numbers have each digit. */
export async function putElements(client: Client, elements: readonly string[]): Promise<void> {
  await client.PUT('/values', {
    body: `{"queries":[${elements.join()}]}` as never,
    bodySerializer: (text: unknown) => text as string,
    headers: { 'Content-Type': 'application/json' },
  })
}

/** How batches are sent. */
export interface Sending {
  /** Sends elements of PUT /values, each as JSON. */
  readonly put: (elements: readonly string[]) => Promise<unknown>
  /** Whether an error means that nobody answers. */
  readonly isAway: (error: unknown) => boolean
  /** What an error says to whoever corrects the row. */
  readonly reasonOf: (error: ServiceError) => string
  /** Ends the waiting. */
  readonly signal: AbortSignal
  /** Is told of each wait. */
  readonly waiting: (seconds: number, why: string) => void
}

/** Sends batches of values. */
export class Sender {
  readonly #sending: Sending
  #hasAnswered = false

  constructor(sending: Sending) {
    this.#sending = sending
  }

  /** Writes what can be written of these rows, and returns the others. Throws what concerns them all. */
  async send(rows: readonly Ready[]): Promise<RefusedRow[]> {
    const [first] = rows
    if (first === undefined) return []
    const elements = rows.map(({ element }) => element)
    const reason = await this.attempt(() => this.#sending.put(elements))
    if (reason === undefined) return []
    if (rows.length === 1) return [{ row: first.row, reason }]
    const middle = rows.length >> 1
    // The order stays: the last row about an object decides.
    const before = await this.send(rows.slice(0, middle))
    return [...before, ...(await this.send(rows.slice(middle)))]
  }

  /**
   * Does work that can be done twice; again, as long as what is in its way may pass. Returns why it was refused, if that
   * may come from single rows, and throws what concerns them all.
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

  /** The seconds to wait before trying again; undefined if that is no use. */
  #waitFor(error: unknown, usual: number): number | undefined {
    if (error instanceof ServiceError)
      return PASSING.includes(error.status) ? (error.retryAfter ?? usual) : undefined
    // Who has never answered will not come back.
    return this.#sending.isAway(error) && this.#hasAnswered ? usual : undefined
  }
}

/** Waits. Throws the reason of the signal if that ends it. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** Whether a refusal may come from single rows. */
function isAboutRows(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.status >= 500 || PASSING.includes(error.status)) return false
  return error.status !== 401 && !FOR_ALL.includes(error.errorClass ?? '')
}
