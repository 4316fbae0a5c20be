/** Room for large answers: how many octets of them may be under way at once. */
import { unavailable } from '../errors.ts'

/** Answers up to this length, in octets, need no room: most fit into the buffers of the connection itself. */
const SMALL_BYTES = 64 * 1024

/** An answer that waits for room. */
interface Waiting {
  readonly caller: string
  readonly octets: number
  readonly enter: () => void
}

/** Gives back the room of an answer. */
type Leave = () => void

/**
 * Room of a fixed size. Nobody gets more of it than is left for all others: one caller who reads slowly can take half of
 * it, a second one half of the rest.
 */
export class Room {
  readonly #bytes: number
  readonly #waitMs: number
  readonly #taken = new Map<string, number>()
  #free: number
  #waiting: readonly Waiting[] = []

  /** Room of `bytes` octets, for which an answer waits at most `waitMs` milliseconds. */
  constructor(bytes: number, waitMs: number) {
    this.#bytes = bytes
    this.#free = bytes
    this.#waitMs = waitMs
  }

  /** Takes room for an answer that is in memory; undefined if there is not enough. */
  take(caller: string, octets: number): Leave | undefined {
    const needed = this.#neededFor(octets)
    return this.#has(caller, needed) ? this.#enter(caller, needed) : undefined
  }

  /** Waits for room and takes it. Throws `ServiceUnavailable` after `waitMs`, and the reason of an abort. */
  async wait(caller: string, octets: number, signal: AbortSignal): Promise<Leave> {
    const needed = this.#neededFor(octets)
    const { promise, resolve, reject } = Promise.withResolvers<Leave>()
    const waiting: Waiting = {
      caller,
      octets: needed,
      enter: () => {
        resolve(this.#enter(caller, needed))
      },
    }
    const timer = setTimeout(() => {
      reject(unavailable(new Error('there was no room for a large answer')))
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
    }
  }

  /** The longest answer must find room when there is no other. */
  #neededFor(octets: number): number {
    return octets <= SMALL_BYTES ? 0 : Math.min(octets, this.#bytes / 2)
  }

  #has(caller: string, needed: number): boolean {
    return needed === 0 || (this.#taken.get(caller) ?? 0) + needed <= this.#free
  }

  #enter(caller: string, needed: number): Leave {
    this.#move(caller, needed)
    return () => {
      this.#move(caller, -needed)
      this.#admit()
    }
  }

  #move(caller: string, octets: number): void {
    this.#free -= octets
    const taken = (this.#taken.get(caller) ?? 0) + octets
    if (taken === 0) this.#taken.delete(caller)
    else this.#taken.set(caller, taken)
  }

  /** Lets in those for whom there is room, whoever waits longest first. */
  #admit(): void {
    const left: Waiting[] = []
    for (const waiting of this.#waiting) {
      if (this.#has(waiting.caller, waiting.octets)) waiting.enter()
      else left.push(waiting)
    }
    this.#waiting = left
  }
}
