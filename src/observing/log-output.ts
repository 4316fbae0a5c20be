/**
 * Where the lines of the log go. Nobody waits for it, and nothing depends on it: what cannot be written is dropped and
 * counted, and the first line that can be written again says how many lines that were.
 */
import { write, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Writes what it can of some octets; returns how many. Rejects with the error of the system. */
type Write = (octets: Buffer) => Promise<number>

/** How the output writes, and the line that says how many lines were dropped. */
interface Dependencies {
  readonly write: Write
  readonly gap: (lines: number) => string
}

/** Workers share standard error, and what is longer may be torn apart by what another one writes (PIPE_BUF). */
const AT_ONCE = 4096
/** Lines are gathered until they are about as long: to write each by itself costs as much as to make it. */
const GATHERED = 4000
/** What may wait for a reader who stands still, in octets; further lines are dropped. */
const MOST_WAITING = 16 * 1024 * 1024
/** How long to wait for a reader whose pipe is full, if the system does not wait itself. */
const PAUSE_MS = 100

const STANDARD_ERROR = 2
const NEWLINE = 0x0a
const NOTHING = Buffer.alloc(0)

const writeSome = promisify(write)

/** Writes to standard error. */
export const toStandardError: Write = async (octets) => (await writeSome(STANDARD_ERROR, octets)).bytesWritten

/** Gathers lines and writes them, in their order. */
export class LogOutput {
  readonly #means: Dependencies
  /** Lines that wait, in portions that may be written at once. */
  #portions: string[] = []
  #octetsOfLast = 0
  #octets = 0
  #isWriting = false
  /** Whether what is gathered is to leave although it is little. */
  #isWanted = false
  /** The end of a line whose beginning is written. */
  #rest: Buffer = NOTHING
  #dropped = 0
  #told = 0
  readonly #idle = new Set<() => void>()

  constructor(means: Dependencies) {
    this.#means = means
  }

  /** How many lines have been dropped. */
  get dropped(): number {
    return this.#dropped
  }

  /** Takes a line, which ends with a newline. */
  write(line: string): void {
    const octets = Buffer.byteLength(line)
    if (this.#octets + octets > MOST_WAITING) {
      this.#dropped++
      return
    }
    if (this.#portions.length > 0 && this.#octetsOfLast + octets <= AT_ONCE) {
      this.#portions.push(`${this.#portions.pop() ?? ''}${line}`)
      this.#octetsOfLast += octets
    } else {
      this.#portions.push(line)
      this.#octetsOfLast = octets
    }
    this.#octets += octets
    if (this.#octets >= GATHERED) this.#start()
  }

  /** Has what is gathered leave. */
  flush(): void {
    this.#isWanted = true
    this.#start()
  }

  /** Writes what is left; resolves to whether nothing is being written any more, after `limitMs` milliseconds at most. */
  async finish(limitMs: number): Promise<boolean> {
    this.flush()
    if (this.#isWriting) {
      const idle = new Promise<void>((resolve) => this.#idle.add(resolve))
      await Promise.race([idle, sleep(limitMs, undefined, { ref: false })])
    }
    return !this.#isWriting
  }

  /** Writes what is left before the process ends, unless something is being written. */
  finishNow(): void {
    if (this.#isWriting) return
    try {
      writeSync(STANDARD_ERROR, Buffer.concat([this.#rest, Buffer.from(this.#portions.join(''))]))
    } catch {
      // Nothing is left that could say so.
    }
  }

  #start(): void {
    if (!this.#isWriting) void this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    try {
      await this.#put(this.#rest, () => 0)
      while (this.#octets >= GATHERED || (this.#isWanted && this.#octets > 0)) {
        await this.#tellGap()
        const portion = Buffer.from(this.#portions.shift() ?? '')
        this.#octets -= portion.length
        await this.#put(portion, linesIn)
      }
    } catch {
      for (const portion of this.#portions) this.#dropped += linesIn(Buffer.from(portion))
      this.#portions = []
      this.#octets = 0
    }
    this.#isWriting = false
    this.#isWanted = false
    for (const resolve of this.#idle) resolve()
    this.#idle.clear()
  }

  /** Says what was dropped, if it was not said yet. */
  async #tellGap(): Promise<void> {
    const lines = this.#dropped - this.#told
    if (lines === 0) return
    this.#told += lines
    await this.#put(Buffer.from(this.#means.gap(lines)), (lost) => {
      if (lost.length > 0) this.#told -= lines
      return 0
    })
  }

  /**
   * Writes whole lines, or `#rest`. If that fails, the end of a line that is half written becomes `#rest`, so that the next
   * one begins on a line of its own; `lost` says how many lines the others are.
   */
  async #put(octets: Buffer, lost: (octets: Buffer) => number): Promise<void> {
    let isTorn = octets === this.#rest
    let left = octets
    while (left.length > 0) {
      try {
        const written = await this.#means.write(left)
        if (written > 0) isTorn = left[written - 1] !== NEWLINE
        left = left.subarray(written)
      } catch (error) {
        if (isBusy(error)) {
          await sleep(PAUSE_MS)
          continue
        }
        const end = isTorn ? left.indexOf(NEWLINE) + 1 : 0
        this.#rest = left.subarray(0, end)
        this.#dropped += lost(left.subarray(end))
        throw error
      }
    }
    this.#rest = NOTHING
  }
}

/** Whether the other side is there, but has no room. */
function isBusy(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'EAGAIN' || code === 'EBUSY'
}

/** How many lines whole lines are. */
function linesIn(octets: Buffer): number {
  let count = 0
  for (const octet of octets) if (octet === NEWLINE) count++
  return count
}
