/** Places for long work, shared by who asks for it: nobody waits behind the second request of somebody else. */
import { unavailable } from '../../model/errors.ts'
import type { Load } from '../database/pool.ts'
import { notingWait } from '../../scheduling/usage.ts'

/** How many run at once, and how long others wait. */
interface FairSlotsOptions {
  /** How many parties run at once. */
  readonly parties: number
  /** How many requests run beyond the first one of each party. */
  readonly further: number
  /** How long a request waits for its turn, in milliseconds. */
  readonly waitMs: number
  /** How many requests of one party wait at once. */
  readonly queue: number
  /** Whether an error of one request's work is that of all requests that wait. */
  readonly endsAll: (error: unknown) => boolean
}

interface Waiting {
  readonly start: () => void
  readonly giveUp: (reason: Error) => void
}

/** Gives out places. A request starts at once, or in turn: party by party, and within a party first come, first. */
export class FairSlots {
  readonly #options: FairSlotsOptions
  /** How many requests of each party run. */
  readonly #running = new Map<string, number>()
  /** Those that wait, by party; the party whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>()

  constructor(options: FairSlotsOptions) {
    this.#options = options
  }

  /**
   * Runs `work` for a party once there is a place. Throws `ServiceUnavailable` if too many of that party wait or none
   * becomes free in time, the signal's reason if it aborts first, and an error of other work that `endsAll`.
   */
  async run<T>(party: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (!this.#mayStart(party)) await notingWait(() => this.#turn(party, signal))
    else this.#count(party, 1)
    try {
      return await work()
    } catch (error) {
      if (this.#options.endsAll(error)) this.#refuseWaiting(error as Error)
      throw error
    } finally {
      this.#count(party, -1)
      this.#startNext()
    }
  }

  load(): Load {
    let waiting = 0
    for (const queue of this.#waiting.values()) waiting += queue.size
    return { taken: this.#taken(), waiting }
  }

  #taken(): number {
    let taken = 0
    for (const count of this.#running.values()) taken += count
    return taken
  }

  #mayStart(party: string): boolean {
    if (!this.#running.has(party)) return this.#running.size < this.#options.parties
    if (this.#taken() - this.#running.size >= this.#options.further) return false
    return [...this.#waiting.keys()].every((other) => this.#running.has(other))
  }

  #count(party: string, by: 1 | -1): void {
    const count = (this.#running.get(party) ?? 0) + by
    if (count === 0) this.#running.delete(party)
    else this.#running.set(party, count)
  }

  async #turn(party: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const queue = this.#waiting.get(party) ?? new Set()
    if (queue.size >= this.#options.queue) throw unavailable(new Error(`too many requests of ${party} wait`))
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const waiting = {
      start: (): void => {
        resolve(undefined)
      },
      giveUp: (reason: Error): void => {
        // Leaves the queue at once: a request in it can be given a place.
        this.#leave(party, waiting)
        reject(reason)
      },
    }
    queue.add(waiting)
    this.#waiting.set(party, queue)
    const tooLong = setTimeout(() => {
      waiting.giveUp(unavailable(new Error(`a request of ${party} waited too long`)))
    }, this.#options.waitMs)
    const gone = (): void => {
      waiting.giveUp(signal.reason as Error)
    }
    signal.addEventListener('abort', gone, { once: true })
    try {
      await promise
    } catch (error) {
      // A first request that waits holds up everybody's further ones.
      this.#startNext()
      throw error
    } finally {
      clearTimeout(tooLong)
      signal.removeEventListener('abort', gone)
    }
  }

  #refuseWaiting(reason: Error): void {
    for (const queue of [...this.#waiting.values()]) for (const { giveUp } of [...queue]) giveUp(reason)
  }

  #leave(party: string, waiting: Waiting): void {
    const queue = this.#waiting.get(party)
    queue?.delete(waiting)
    if (queue?.size === 0) this.#waiting.delete(party)
  }

  /** Starts whoever may start now. */
  #startNext(): void {
    for (;;) {
      const party = [...this.#waiting.keys()].find((one) => this.#mayStart(one))
      const queue = party === undefined ? undefined : this.#waiting.get(party)
      const [next] = queue ?? []
      if (party === undefined || queue === undefined || next === undefined) return
      this.#leave(party, next)
      // To the end: it is everybody else's turn before theirs.
      if (this.#waiting.delete(party)) this.#waiting.set(party, queue)
      this.#count(party, 1)
      next.start()
    }
  }
}
