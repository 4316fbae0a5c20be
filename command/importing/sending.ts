/** Sending a batch: waiting as the service tells, and dividing what it refuses until the refused rows are found. */
import { openAsBlob } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../packages/client/index.ts'
import type { Connection } from '../connection/connect.ts'
import { explain } from '../manners/explanations.ts'
import { Failure } from '../manners/failure.ts'
import type { Address } from '../connection/objects.ts'
import type { FileValue, Ready } from './converting.ts'
import type { RefusedRow } from './refused.ts'

/** What may pass by itself: a service that is busy, restarting or away, and what a proxy says then. */
const PASSING = [408, 429, 502, 503, 504]

/** What no other row changes: who asks, and what that user may do. */
const FOR_ALL = ['TUnauthorized', 'TPathPermissionDenied', 'TNonexistentNamespace', 'TNonexistentTag']

/** The seconds to wait where nobody says how many: at first, and at most. */
const FIRST_WAIT = 1
const LONGEST_WAIT = 30
/** After so many seconds without an answer it is given up. */
const PATIENCE = 600

/** Sends batches. */
export class Sender {
  readonly #connection: Connection
  readonly #signal: AbortSignal
  readonly #waiting: (seconds: number, why: string) => void
  #hasAnswered = false

  /** `signal` ends the waiting; `waiting` is told of each wait. */
  constructor(connection: Connection, signal: AbortSignal, waiting: (seconds: number, why: string) => void) {
    this.#connection = connection
    this.#signal = signal
    this.#waiting = waiting
  }

  /** Writes what can be written of these rows, and returns the others. Throws what concerns them all. */
  async send(rows: readonly Ready[]): Promise<RefusedRow[]> {
    const refused = await this.#sendValues(rows)
    const done = new Set(refused.map(({ row }) => row))
    for (const { row, target, files } of rows) {
      if (done.has(row)) continue
      const reason = await this.#sendFiles(target, files)
      if (reason !== undefined) refused.push({ row, reason })
    }
    return refused
  }

  async #sendValues(rows: readonly Ready[]): Promise<RefusedRow[]> {
    const [first] = rows
    if (first === undefined) return []
    try {
      await this.#patiently(() => this.#put(rows))
      return []
    } catch (error) {
      if (!isAboutRows(error)) throw error
      if (rows.length === 1) return [{ row: first.row, reason: reasonOf(error) }]
      const middle = rows.length >> 1
      // The order stays: the last row about an object decides.
      const before = await this.#sendValues(rows.slice(0, middle))
      return [...before, ...(await this.#sendValues(rows.slice(middle)))]
    }
  }

  async #put(rows: readonly Ready[]): Promise<void> {
    const body = `{"queries":[${rows.map(({ element }) => element).join()}]}`
    await this.#connection.client.PUT('/values', {
      // It is JSON already, whose numbers have each digit.
      body: body as never,
      bodySerializer: (text: unknown) => text as string,
      headers: { 'Content-Type': 'application/json' },
    })
  }

  /** Returns why a file was refused. */
  async #sendFiles(target: Address, files: readonly FileValue[]): Promise<string | undefined> {
    for (const value of files) {
      try {
        await this.#patiently(() => this.#putFile(target, value))
      } catch (error) {
        if (!isAboutRows(error)) throw error
        return `${value.file}: ${reasonOf(error)}`
      }
    }
    return undefined
  }

  async #putFile(target: Address, { tag, file, contentType }: FileValue): Promise<void> {
    const sent = {
      body: (await openAsBlob(file)) as never,
      bodySerializer: (blob: unknown) => blob as Blob,
      headers: { 'Content-Type': contentType },
    }
    const { client } = this.#connection
    if ('id' in target) {
      const path = { object_id: target.id, tag_path: tag }
      await client.PUT('/objects/{object_id}/{tag_path}', { params: { path }, ...sent })
    } else {
      const path = { about_value: target.about, tag_path: tag }
      await client.PUT('/about/{about_value}/{tag_path}', { params: { path }, ...sent })
    }
  }

  /** Does work that can be done twice; again, as long as what is in its way may pass. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    let waited = 0
    for (let usual = FIRST_WAIT; ; usual = Math.min(usual * 2, LONGEST_WAIT)) {
      try {
        const result = await work()
        this.#hasAnswered = true
        return result
      } catch (error) {
        this.#hasAnswered ||= error instanceof ServiceError
        const seconds = this.#waitFor(error, usual)
        if (seconds === undefined || waited >= PATIENCE) throw error
        waited += seconds
        this.#waiting(seconds, error instanceof ServiceError ? `status ${error.status}` : 'nobody answers')
        await sleep(seconds * 1000, undefined, { signal: this.#signal })
      }
    }
  }

  /** The seconds to wait before trying again; undefined if that is no use. */
  #waitFor(error: unknown, usual: number): number | undefined {
    if (error instanceof ServiceError)
      return PASSING.includes(error.status) ? (error.retryAfter ?? usual) : undefined
    // Who has never answered will not come back.
    return error instanceof Failure && this.#hasAnswered ? usual : undefined
  }
}

/** Whether an error may come from single rows. What cannot be sent at all is an error of this program's own. */
function isAboutRows(error: unknown): error is ServiceError | RangeError {
  if (error instanceof RangeError) return true
  if (!(error instanceof ServiceError) || error.status >= 500 || PASSING.includes(error.status)) return false
  return error.status !== 401 && !FOR_ALL.includes(error.errorClass ?? '')
}

function reasonOf(error: ServiceError | RangeError): string {
  if (error instanceof RangeError) return error.message
  return `${explain(error).what} [${error.errorClass ?? error.status}]`
}
