/** Places for long work. No request waits behind the second request of another party. */
import { unavailable } from '../../model/errors.ts'
import type { Load } from '../database/pool.ts'
import { FairQueue } from '../../scheduling/fair-queue.ts'
import { notingWait } from '../../scheduling/usage.ts'

/** How many requests run at once, and how long others wait. */
interface FairSlotsOptions {
  /** How many parties run at once. */
  readonly parties: number
  /** How many requests run beyond the first one of each party. */
  readonly further: number
  /** How long a request waits for its turn, in milliseconds. */
  readonly waitMs: number
  /** How many requests of one party wait at once. */
  readonly queue: number
  /** Whether an error of one request's work also ends all waiting requests. */
  readonly endsAll: (error: unknown) => boolean
}

/** Assigns places. The first request of a party comes before further requests of others. */
export class FairSlots {
  readonly #options: FairSlotsOptions
  readonly #queue: FairQueue
  /** How many requests of each party run. */
  readonly #running = new Map<string, number>()

  constructor(options: FairSlotsOptions) {
    this.#options = options
    this.#queue = new FairQueue(options.waitMs)
  }

  /**
   * Runs `work` for a party once there is a place. Throws `ServiceUnavailable` if too many requests of that party wait or no
   * place becomes free in time, the signal's reason if it aborts first, and an error of other work that `endsAll`.
   */
  async run<T>(party: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (!this.#start(party)) await notingWait(() => this.#turn(party, signal))
    try {
      return await work()
    } catch (error) {
      if (this.#options.endsAll(error)) this.#queue.refuseAll(error as Error)
      throw error
    } finally {
      this.#count(party, -1)
      this.#queue.serve()
    }
  }

  load(): Load {
    return { taken: this.#taken(), waiting: this.#queue.size }
  }

  async #turn(party: string, signal: AbortSignal): Promise<void> {
    if (this.#queue.sizeOf(party) >= this.#options.queue)
      throw unavailable(new Error(`too many requests of ${party} wait`))
    await this.#queue.wait(party, () => this.#start(party), signal, `a request of ${party} waited too long`)
  }

  /** Takes a place for a party, if it may have one. */
  #start(party: string): boolean {
    if (!this.#mayStart(party)) return false
    this.#count(party, 1)
    return true
  }

  #mayStart(party: string): boolean {
    if (!this.#running.has(party)) return this.#running.size < this.#options.parties
    if (this.#taken() - this.#running.size >= this.#options.further) return false
    return this.#queue.parties.every((other) => this.#running.has(other))
  }

  #taken(): number {
    let taken = 0
    for (const count of this.#running.values()) taken += count
    return taken
  }

  #count(party: string, by: 1 | -1): void {
    const count = (this.#running.get(party) ?? 0) + by
    if (count === 0) this.#running.delete(party)
    else this.#running.set(party, count)
  }
}
