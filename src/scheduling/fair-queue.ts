/** A queue for a limited resource: within a party the first request is served first, and parties take turns. */
import { unavailable } from '../model/errors.ts'

interface Waiting {
  /** Takes what it needs, if that is free. */
  readonly take: () => boolean
  readonly begin: () => void
  readonly giveUp: (reason: Error) => void
}

export class FairQueue {
  readonly #waitMs: number
  /** The requests that wait, by party; the party whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>()

  /** A request waits at most `waitMs` milliseconds. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** How many requests wait, of all parties. */
  get size(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** The parties of the requests that wait. */
  get parties(): readonly string[] {
    return [...this.#waiting.keys()]
  }

  sizeOf(party: string): number {
    return this.#waiting.get(party)?.size ?? 0
  }

  /**
   * Waits until it is the turn of a request and `take`, which takes what it needs, returns true. Throws `ServiceUnavailable`
   * for the reason `tooLong` if that takes too long, the reason of an abort, and that of `refuseAll`.
   */
  async wait(party: string, take: () => boolean, signal: AbortSignal, tooLong: string): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const waiting: Waiting = {
      take,
      begin: () => {
        resolve(undefined)
      },
      giveUp: (reason) => {
        // It leaves the queue at once: a request in it can be served.
        this.#leave(party, waiting)
        reject(reason)
      },
    }
    this.#waiting.set(party, (this.#waiting.get(party) ?? new Set()).add(waiting))
    const timer = setTimeout(() => {
      waiting.giveUp(unavailable(new Error(tooLong)))
    }, this.#waitMs)
    const onAbort = (): void => {
      waiting.giveUp(signal.reason as Error)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    this.serve()
    try {
      await promise
    } catch (error) {
      // The requests behind it may be next.
      this.serve()
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Serves all requests whose turn it is. To be called whenever something becomes free. */
  serve(): void {
    while (this.parties.some((party) => this.#serveOne(party)));
  }

  /** Refuses all requests that wait. */
  refuseAll(reason: Error): void {
    for (const queue of [...this.#waiting.values()]) for (const { giveUp } of [...queue]) giveUp(reason)
  }

  /** Serves the first request of a party, if it can take what it needs. */
  #serveOne(party: string): boolean {
    const queue = this.#waiting.get(party)
    const [first] = queue ?? []
    if (queue === undefined || first === undefined || !first.take()) return false
    this.#leave(party, first)
    // The party goes to the end: the others have their turns first.
    if (this.#waiting.delete(party)) this.#waiting.set(party, queue)
    first.begin()
    return true
  }

  #leave(party: string, waiting: Waiting): void {
    const queue = this.#waiting.get(party)
    queue?.delete(waiting)
    if (queue?.size === 0) this.#waiting.delete(party)
  }
}
