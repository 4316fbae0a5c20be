/**
 * Writes the lines of the log. No caller waits for it. It drops and counts lines that cannot be written; the next line that
 * can be written says how many were dropped.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogPlace } from './log-file.ts'

/** How the output writes, and the line that reports dropped lines. */
interface Dependencies extends Pick<LogPlace, 'write' | 'writeNow'> {
  readonly gap: (lines: number) => string
}

/** Workers share standard error or a file, and the system may mix longer writes of several processes (PIPE_BUF). */
const AT_ONCE = 4096
/** Lines are collected up to about this length: writing a line by itself costs as much as making it. */
const GATHERED = 4000
/** How many octets may wait for a reader that does not read; further lines are dropped. */
const MOST_WAITING = 16 * 1024 * 1024
/** How long to wait for a reader whose pipe is full, if the system call does not wait itself. */
const PAUSE_MS = 100

const NEWLINE = 0x0a
const NOTHING = Buffer.alloc(0)

/** Collects lines and writes them, in their order. */
export class LogOutput {
  readonly #means: Dependencies
  /** Waiting lines, in portions that may be written at once. */
  #portions: string[] = []
  #octetsOfLast = 0
  #octets = 0
  #isWriting = false
  /** Whether to write the collected lines although they are short. */
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

  /** Writes the collected lines soon. */
  flush(): void {
    this.#isWanted = true
    this.#start()
  }

  /** Writes the remaining lines; resolves within `limitMs` milliseconds to whether all writing has ended. */
  async finish(limitMs: number): Promise<boolean> {
    this.flush()
    if (this.#isWriting) {
      const idle = new Promise<void>((resolve) => this.#idle.add(resolve))
      await Promise.race([idle, sleep(limitMs, undefined, { ref: false })])
    }
    return !this.#isWriting
  }

  /** Writes the remaining lines before the process ends, unless a write is running. */
  finishNow(): void {
    if (this.#isWriting) return
    try {
      this.#means.writeNow(Buffer.concat([this.#rest, Buffer.from(this.#portions.join(''))]))
    } catch {
      // There is no other place to report this.
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

  /** Reports the lines dropped since the last report. */
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
   * Writes whole lines, or `#rest`. If that fails, the end of a half-written line becomes `#rest`, so that the next line
   * begins on a line of its own; `lost` returns how many lines the other octets hold.
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

/** Whether the reader exists, but its pipe is full. */
function isBusy(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'EAGAIN' || code === 'EBUSY'
}

/** The number of lines. */
function linesIn(octets: Buffer): number {
  let count = 0
  for (const octet of octets) if (octet === NEWLINE) count++
  return count
}
