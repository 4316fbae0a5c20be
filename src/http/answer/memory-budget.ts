/** How many octets of large bodies and answers may be in memory at once. */
import { FairQueue } from '../../scheduling/fair-queue.ts'
import { discard, heldBy, type Reply } from './reply.ts'
import type { Reserve } from '../request/request.ts'

/**
 * Three answers with a million ids, 16 MB each, that one client reads slowly. The objects that are made from them take several
 * times as much (docs/decisions/0126-memory.md).
 */
const BUDGET_BYTES = 96 * 1024 * 1024
const WAIT_MS = 30_000

/** Up to this length, in octets, they count for nothing: most answers fit into the buffers of the connection itself. */
const SMALL_BYTES = 64 * 1024

/** Gives the taken octets back, once. */
type Release = () => void

interface BudgetOptions {
  readonly bytes?: number
  /** How long a request waits, in milliseconds. */
  readonly waitMs?: number
  /** Receives which share is taken, from 0 to 1, whenever that changes. */
  readonly note?: (share: number) => void
}

/**
 * The memory that large bodies and answers may take. A party gets no more of it than is left for all others: the first one
 * that sends or reads slowly can take half of it, a second one half of the rest.
 */
export class MemoryBudget {
  readonly #bytes: number
  readonly #noteTaken: (share: number) => void
  readonly #queue: FairQueue
  readonly #taken = new Map<string, number>()
  #free: number

  constructor({ bytes = BUDGET_BYTES, waitMs = WAIT_MS, note = () => undefined }: BudgetOptions = {}) {
    this.#bytes = bytes
    this.#free = bytes
    this.#noteTaken = note
    this.#queue = new FairQueue(waitMs)
  }

  /** Takes so many octets; undefined if there are not enough, or another request of the party waits for some. */
  take(party: string, octets: number): Release | undefined {
    const needed = this.#neededFor(octets)
    if (needed > 0 && this.#queue.sizeOf(party) > 0) return undefined
    return this.#taking(party, needed)
  }

  /** Waits for so many octets and takes them. Throws `ServiceUnavailable` after `waitMs`, and the reason of an abort. */
  async wait(party: string, octets: number, signal: AbortSignal): Promise<Release> {
    const needed = this.#neededFor(octets)
    let release: Release | undefined
    const take = (): boolean => (release = this.#taking(party, needed)) !== undefined
    await this.#queue.wait(party, take, signal, 'there was no memory for a large body or answer')
    return release as unknown as Release
  }

  /** The longest must find enough when there is no other. */
  #neededFor(octets: number): number {
    return octets <= SMALL_BYTES ? 0 : Math.min(octets, this.#bytes / 2)
  }

  #taking(party: string, needed: number): Release | undefined {
    if (needed > 0 && (this.#taken.get(party) ?? 0) + needed > this.#free) return undefined
    this.#move(party, needed)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#move(party, -needed)
      this.#queue.serve()
    }
  }

  #move(party: string, octets: number): void {
    this.#free -= octets
    this.#noteTaken(1 - this.#free / this.#bytes)
    const taken = (this.#taken.get(party) ?? 0) + octets
    if (taken === 0) this.#taken.delete(party)
    else this.#taken.set(party, taken)
  }
}

/** What one request has taken of the budget, for its body or for its answer: no request has a large one of both. */
export class Reservation {
  readonly #budget: MemoryBudget
  readonly #party: string
  readonly #signal: AbortSignal
  #octets = 0
  #release: Release = () => undefined

  /** Nothing yet, for a party; `signal` ends its waiting. */
  constructor(budget: MemoryBudget, party: string, signal: AbortSignal) {
    this.#budget = budget
    this.#party = party
    this.#signal = signal
  }

  /** Waits until it has at least so many octets. Throws as `wait` of the budget does. */
  readonly wait: Reserve = async (octets) => {
    if (octets <= this.#octets || this.#take(octets)) return
    this.#hold(octets, await this.#budget.wait(this.#party, octets, this.#signal))
  }

  /** Gives everything back. */
  release(): void {
    this.#octets = 0
    this.#release()
  }

  /**
   * A reply for which there is memory. `make` waits for it before, if it knows the size. Otherwise, a reply that is larger than
   * what is free is dropped and made again later: replies that waited in memory would take the very memory that they wait
   * for. Only reads have large replies.
   */
  async replyFrom(make: () => Promise<Reply>): Promise<Reply> {
    for (;;) {
      const reply = await make()
      const held = heldBy(reply)
      if (held <= this.#octets || this.#take(held)) return reply
      await discard(reply)
      await this.wait(held)
    }
  }

  #take(octets: number): boolean {
    this.release()
    const release = this.#budget.take(this.#party, octets)
    if (release === undefined) return false
    this.#hold(octets, release)
    return true
  }

  #hold(octets: number, release: Release): void {
    this.#octets = octets
    this.#release = release
    // The request has ended already, so nothing else would give it back.
    if (this.#signal.aborted) this.release()
  }
}
