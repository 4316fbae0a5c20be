/** A queue for a limited resource: within a party the first request is served first, and parties take turns. */
import { unavailable } from '../model/errors.ts'

interface Waiting {
  /** Takes the resource if it is free; returns whether it did. */
  readonly take: () => boolean
  readonly begin: () => void
  readonly giveUp: (reason: Error) => void
}

export class FairQueue {
  readonly #waitMs: number
  /** The waiting requests, by party; the party whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>()

  /** A request waits at most `waitMs` milliseconds. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** How many requests wait, over all parties. */
  get size(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** The parties of the waiting requests. */
  get parties(): readonly string[] {
    return [...this.#waiting.keys()]
  }

  sizeOf(party: string): number {
    return this.#waiting.get(party)?.size ?? 0
  }

  /**
   * Waits until a request has its turn and `take`, which takes the resource, returns true. Throws `ServiceUnavailable` for
   * the reason `tooLong` if that takes too long, the reason of an abort, and the reason of `refuseAll`.
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
        // It leaves the queue at once: otherwise `serve` could still serve it.
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

  /** Serves all requests whose turn it is. Callers call it whenever a resource becomes free. */
  serve(): void {
    while (this.parties.some((party) => this.#serveOne(party)));
  }

  /** Refuses all waiting requests. */
  refuseAll(reason: Error): void {
    for (const queue of [...this.#waiting.values()]) for (const { giveUp } of [...queue]) giveUp(reason)
  }

  /** Serves the first request of a party, if its resource is free. */
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
