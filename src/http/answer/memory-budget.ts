/** Room for large bodies and answers: how many octets of them may be under way at once. */
import { unavailable } from '../../model/errors.ts'
import { discard, heldBy, type Reply } from './reply.ts'
import type { Reserve } from '../request/request.ts'

/**
 * How many octets of large bodies and answers may be under way: three answers with a million ids, 16 MB each, that one client
 * reads slowly. What is made of them takes several times as much (docs/decisions/0126-memory.md).
 */
const ROOM_BYTES = 96 * 1024 * 1024
const ROOM_WAIT_MS = 30_000

/** Up to this length, in octets, no room is needed: most answers fit into the buffers of the connection itself. */
const SMALL_BYTES = 64 * 1024

/** A request that waits for room. */
interface Waiting {
  readonly party: string
  readonly octets: number
  readonly enter: () => void
}

/** Gives back what was taken, once. */
type Leave = () => void

interface BudgetOptions {
  readonly bytes?: number
  /** How long a request waits for room, in milliseconds. */
  readonly waitMs?: number
  /** Receives which share of the room is taken, from 0 to 1, whenever that changes. */
  readonly note?: (share: number) => void
}

/**
 * Room of a fixed size. Nobody gets more of it than is left for all others: one that sends or reads slowly can take half of
 * it, a second one half of the rest.
 */
export class MemoryBudget {
  readonly #bytes: number
  readonly #waitMs: number
  readonly #noteTaken: (share: number) => void
  readonly #taken = new Map<string, number>()
  #free: number
  #waiting: readonly Waiting[] = []

  constructor({ bytes = ROOM_BYTES, waitMs = ROOM_WAIT_MS, note = () => undefined }: BudgetOptions = {}) {
    this.#bytes = bytes
    this.#free = bytes
    this.#waitMs = waitMs
    this.#noteTaken = note
  }

  /** Takes room for what is in memory; undefined if there is not enough, or somebody of the same party waits for room. */
  take(party: string, octets: number): Leave | undefined {
    const needed = this.#neededFor(octets)
    if (needed > 0 && this.#waiting.some((waiting) => waiting.party === party)) return undefined
    return this.#has(party, needed) ? this.#enter(party, needed) : undefined
  }

  /** Waits for room and takes it. Throws `ServiceUnavailable` after `waitMs`, and the reason of an abort. */
  async wait(party: string, octets: number, signal: AbortSignal): Promise<Leave> {
    const needed = this.#neededFor(octets)
    const { promise, resolve, reject } = Promise.withResolvers<Leave>()
    const waiting: Waiting = {
      party,
      octets: needed,
      enter: () => {
        resolve(this.#enter(party, needed))
      },
    }
    const timer = setTimeout(() => {
      reject(unavailable(new Error('there was no room for a large body or answer')))
    }, this.#waitMs)
    const gone = (): void => {
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', gone, { once: true })
    this.#waiting = [...this.#waiting, waiting]
    this.#admit()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', gone)
      this.#waiting = this.#waiting.filter((other) => other !== waiting)
      // Whoever waited behind it may be next.
      this.#admit()
    }
  }

  /** The longest must find room when there is no other. */
  #neededFor(octets: number): number {
    return octets <= SMALL_BYTES ? 0 : Math.min(octets, this.#bytes / 2)
  }

  #has(party: string, needed: number): boolean {
    return needed === 0 || (this.#taken.get(party) ?? 0) + needed <= this.#free
  }

  #enter(party: string, needed: number): Leave {
    this.#move(party, needed)
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      this.#move(party, -needed)
      this.#admit()
    }
  }

  #move(party: string, octets: number): void {
    this.#free -= octets
    this.#noteTaken(1 - this.#free / this.#bytes)
    const taken = (this.#taken.get(party) ?? 0) + octets
    if (taken === 0) this.#taken.delete(party)
    else this.#taken.set(party, taken)
  }

  /** Lets in those for whom there is room, whoever waits longest first. Those of one party do not overtake each other. */
  #admit(): void {
    const left: Waiting[] = []
    const behind = new Set<string>()
    for (const waiting of this.#waiting) {
      if (!behind.has(waiting.party) && this.#has(waiting.party, waiting.octets)) {
        waiting.enter()
        continue
      }
      left.push(waiting)
      behind.add(waiting.party)
    }
    this.#waiting = left
  }
}

/** What one request has of the room, for its body or for its answer: no request has a large one of both. */
export class Reservation {
  readonly #room: MemoryBudget
  readonly #party: string
  readonly #signal: AbortSignal
  #octets = 0
  #leave: Leave = () => undefined

  /** Nothing yet, for a party; `signal` ends its waiting. */
  constructor(room: MemoryBudget, party: string, signal: AbortSignal) {
    this.#room = room
    this.#party = party
    this.#signal = signal
  }

  /** Waits until it is at least so large. Throws what `wait` of the room throws. */
  readonly wait: Reserve = async (octets) => {
    if (octets <= this.#octets || this.#take(octets)) return
    this.#has(octets, await this.#room.wait(this.#party, octets, this.#signal))
  }

  /** Gives everything back. */
  leave(): void {
    this.#octets = 0
    this.#leave()
  }

  /**
   * A reply, and room for it. Whoever makes it waits for room first, if its size is known by then. Otherwise, a reply
   * for which there is no room is dropped and made again later: replies that waited in memory would take the very room
   * that they wait for. Only reads have large replies.
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
    this.leave()
    const leave = this.#room.take(this.#party, octets)
    if (leave === undefined) return false
    this.#has(octets, leave)
    return true
  }

  #has(octets: number, leave: Leave): void {
    this.#octets = octets
    this.#leave = leave
    // Then nobody gives it back later.
    if (this.#signal.aborted) this.leave()
  }
}
