/** A file that is there as a whole or not at all. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises'

/**
 * A file cannot be read or written. It has no `code`: by their codes, failures of the database are told, and some are
 * tried again.
 */
export class FileFailure extends Error {}

/** What a backup holds its owner to: it has the hashes of passwords, and values that few may read. */
const OWN_FILE = 0o600

/** A file that is being written. Until it is kept, its name ends in `.unfinished`. */
export class NewFile {
  readonly #name: string
  readonly #handle: FileHandle

  private constructor(name: string, handle: FileHandle) {
    this.#name = name
    this.#handle = handle
  }

  /** Begins a file, for its owner alone. Throws a `FileFailure` also if there is one of that name, finished or not. */
  static async create(name: string): Promise<NewFile> {
    try {
      await refuseExisting(name)
      return new NewFile(name, await open(unfinished(name), 'wx', OWN_FILE))
    } catch (error) {
      throw failureOf(name, error)
    }
  }

  async write(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) await this.#doing(this.#handle.appendFile(chunk))
  }

  /** Gives the file its name once it is on the disk. */
  async keep(): Promise<void> {
    await this.#doing(this.#handle.sync())
    await this.#doing(this.#handle.close())
    await this.#doing(rename(unfinished(this.#name), this.#name))
  }

  /** Deletes what was written, unless it was kept. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    await this.#doing(rm(unfinished(this.#name), { force: true }))
  }

  #doing<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      throw failureOf(this.#name, error)
    })
  }
}

const unfinished = (name: string): string => `${name}.unfinished`

const taken = (name: string): FileFailure =>
  new FileFailure(`there is a file '${name}' already: a backup overwrites nothing`)

async function refuseExisting(name: string): Promise<void> {
  const handle = await open(name).catch(() => undefined)
  if (handle === undefined) return
  await handle.close()
  throw taken(name)
}

const REMEDIES: Readonly<Record<string, string>> = {
  EEXIST: 'another backup is writing it, or was killed while it did: if none is running, delete what it left',
  ENOENT: 'make its folder first',
  ENOTDIR: 'choose another folder',
  EACCES: 'look at its folder, and whose it is',
  EPERM: 'look at its folder, and whose it is',
  EROFS: 'choose another file system',
  ENOSPC: 'make room, or choose another file system',
  EDQUOT: 'make room, or choose another file system',
}

function failureOf(name: string, error: unknown): FileFailure {
  if (error instanceof FileFailure) return error
  const { message, code = '' } = error as NodeJS.ErrnoException
  const remedy = REMEDIES[code]
  const todo = remedy === undefined ? '' : `: ${remedy}`
  return new FileFailure(`the backup '${name}' cannot be written${todo} (${message})`, { cause: error })
}
