/** Text that is first written and then read: in memory while it is short, beyond that in a temporary file. */
import { randomUUID } from 'node:crypto'
import { open, statfs, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unavailable } from '../../model/errors.ts'

/** How many octets to keep in memory. */
const MEMORY_BYTES = 4 * 1024 * 1024
/** How many characters to collect before encoding them. */
const GATHERED = 64 * 1024
/** How many octets to read from a file at once. */
const READ_BYTES = 256 * 1024

/** How many octets are free for files. */
export type FreeBytes = () => Promise<number>

const freeInFolder: FreeBytes = async () => {
  const { bavail, bsize } = await statfs(tmpdir())
  return bavail * bsize
}

/** What spools have in files together: never more than is left for everything else in their folder. */
export class SpoolSpace {
  readonly #free: FreeBytes
  #taken = 0

  constructor(free = freeInFolder) {
    this.#free = free
  }

  /** Takes so many octets. Throws if that leaves too little. */
  async take(octets: number): Promise<void> {
    this.#taken += octets
    try {
      if ((await this.#free()) - octets < this.#taken)
        throw new Error('the folder for temporary files has no room for this answer')
    } catch (error) {
      this.give(octets)
      throw error
    }
  }

  give(octets: number): void {
    this.#taken -= octets
  }
}

const SPACE = new SpoolSpace()

/** A text of any length in bounded memory. Its reader may be slow: nothing else waits for the reader. */
export class Spool {
  #gathered = ''
  #pieces: Buffer[] = []
  #inMemory = 0
  #file: FileHandle | undefined
  #length = 0
  /** How many octets of the file are taken. */
  #taken = 0
  readonly #space: SpoolSpace

  constructor(space = SPACE) {
    this.#space = space
  }

  /** Octets written so far, in UTF-8. */
  get length(): number {
    return this.#length + Buffer.byteLength(this.#gathered)
  }

  /** How many of these octets are in memory. */
  get held(): number {
    return this.#inMemory + Buffer.byteLength(this.#gathered)
  }

  /** Appends text. Throws `ServiceUnavailable` if there is no room for it. */
  async write(text: string): Promise<void> {
    this.#gathered += text
    if (this.#gathered.length >= GATHERED) await this.#keep()
  }

  /** Discards what was written. More may be written afterwards. */
  async clear(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    this.#gathered = ''
    this.#pieces = []
    this.#inMemory = 0
    this.#length = 0
    const taken = this.#taken
    this.#taken = 0
    try {
      await file?.close()
    } finally {
      this.#space.give(taken)
    }
  }

  /** Returns everything, once, and discards it. */
  async *read(): AsyncGenerator<Buffer> {
    try {
      const file = this.#file
      for (let at = 0; file !== undefined && at < this.#length - this.#inMemory;) {
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at)
        at += bytesRead
        yield buffer.subarray(0, bytesRead)
      }
      yield* this.#pieces
      if (this.#gathered !== '') yield Buffer.from(this.#gathered)
    } finally {
      await this.clear()
    }
  }

  async #keep(): Promise<void> {
    const piece = Buffer.from(this.#gathered)
    this.#gathered = ''
    this.#pieces.push(piece)
    this.#inMemory += piece.length
    this.#length += piece.length
    if (this.#inMemory < MEMORY_BYTES) return
    try {
      await this.#space.take(this.#inMemory)
      this.#taken += this.#inMemory
      this.#file ??= await openUnnamed()
      await this.#file.appendFile(Buffer.concat(this.#pieces))
    } catch (error) {
      throw unavailable(error)
    }
    this.#pieces = []
    this.#inMemory = 0
  }
}

/** A file without a name: it disappears with its handle, however the process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `gloss-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
