/** The places that the lines of the log are written to. */
import { closeSync, constants, openSync, write, writeSync } from 'node:fs'
import { promisify } from 'node:util'

/** Takes octets of the log. */
export interface LogPlace {
  /** Writes as many octets as the system accepts; returns how many. Rejects with the error of the system. */
  readonly write: (octets: Buffer) => Promise<number>
  /** Writes before the process ends. Throws the error of the system. */
  readonly writeNow: (octets: Buffer) => void
  /** Opens a file again that was renamed meanwhile. Throws, and stays at the former file, if that is not possible. */
  readonly reopen: () => void
}

const writeSome = promisify(write)

const STANDARD_ERROR = 2
const NEWLINE = 0x0a
/** The mode of a new file. The queries in it hold values. */
const MODE = 0o600

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants
/** Without O_NONBLOCK, opening a named pipe would wait for a reader. */
const APPENDED = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK

export const standardError: LogPlace = {
  write: async (octets) => (await writeSome(STANDARD_ERROR, octets)).bytesWritten,
  writeNow: (octets) => void writeSync(STANDARD_ERROR, octets),
  reopen: () => undefined,
}

/** A file, which several processes may append to. */
export class LogFile implements LogPlace {
  readonly #path: string
  #descriptor: number
  /** The file that was opened last, until the line at the end of the former one is whole. */
  #next: number | undefined
  #isWriting = false
  #isTorn = false

  constructor(path: string) {
    this.#path = path
    this.#descriptor = opened(path)
  }

  async write(octets: Buffer): Promise<number> {
    this.#isWriting = true
    try {
      const { bytesWritten } = await writeSome(this.#descriptor, octets)
      if (bytesWritten > 0) this.#isTorn = octets[bytesWritten - 1] !== NEWLINE
      return bytesWritten
    } catch (error) {
      // The former file may be on a full disk, whose room comes back only when the file is closed.
      if (this.#next !== undefined) this.#isTorn = false
      throw error
    } finally {
      this.#isWriting = false
      this.#change()
    }
  }

  writeNow(octets: Buffer): void {
    writeSync(this.#descriptor, octets)
  }

  reopen(): void {
    const next = opened(this.#path)
    if (this.#next !== undefined) closeSync(this.#next)
    this.#next = next
    this.#change()
  }

  #change(): void {
    if (this.#next === undefined || this.#isWriting || this.#isTorn) return
    closeSync(this.#descriptor)
    this.#descriptor = this.#next
    this.#next = undefined
  }
}

function opened(path: string): number {
  try {
    return openSync(path, APPENDED, MODE)
  } catch (error) {
    throw new Error(`LOG_FILE names a file that cannot be written: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
