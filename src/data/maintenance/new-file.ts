/** A file that exists as a whole or not at all, and that replaces no other file. */
import { link, lstat, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'

/**
 * A file cannot be written. The error has no `code`: by its code, it could be taken for a failure of the database,
 * and retried.
 */
export class FileFailure extends Error {}

/** Only the owner may read a backup: it has the hashes of passwords, and values that few may read. */
const OWN_FILE = 0o600

/**
 * Writes a file with this text, compressed, for its owner alone. Its name ends in `.unfinished` until it is complete and on the
 * disk. Throws a `FileFailure` if a file of either name exists.
 */
export async function writeNewFile(name: string, texts: AsyncIterable<string>): Promise<void> {
  const target = await NewFile.create(name)
  try {
    const gzip = createGzip({ level: constants.Z_BEST_SPEED })
    await pipeline(Readable.from(texts), gzip, (chunks: AsyncIterable<Buffer>) => target.write(chunks))
    await target.keep()
  } catch (error) {
    await target.discard()
    throw error
  }
}

/** A file that is being written. Until `keep`, its name ends in `.unfinished`. */
export class NewFile {
  readonly #name: string
  readonly #handle: FileHandle

  private constructor(name: string, handle: FileHandle) {
    this.#name = name
    this.#handle = handle
  }

  /** Begins a file, for its owner alone. Throws a `FileFailure` also if a file of that name exists, finished or not. */
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

  /** Gives the file its name once it is on the disk. Throws a `FileFailure` if a file of that name exists by now. */
  async keep(): Promise<void> {
    await this.#doing(this.#handle.sync())
    await this.#doing(this.#handle.close())
    await this.#doing(renameToNew(unfinished(this.#name), this.#name))
  }

  /** Deletes the file, unless it was kept. */
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

/** Throws if anything has the name, even a link to nothing or a file without read permission. */
async function refuseExisting(name: string): Promise<void> {
  try {
    await lstat(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  throw taken(name)
}

/** The error codes of file systems without hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * Renames a file, on the disk, unless a file of the new name exists (`rename` would replace it). If this fails, there is no
 * file of the new name.
 */
async function renameToNew(from: string, to: string): Promise<void> {
  const isLinked = await linked(from, to)
  if (!isLinked) await claim(to)
  try {
    await (isLinked ? rm(from) : rename(from, to))
    await syncFolder(dirname(to))
  } catch (error) {
    await rm(to, { force: true })
    throw error
  }
}

/** Gives a file a second name; false if its file system has no hard links. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (NO_LINKS.has((error as NodeJS.ErrnoException).code)) return false
    throw takenOr(error, to)
  }
}

/** Makes an empty file, which the caller may then replace. */
async function claim(name: string): Promise<void> {
  const handle = await open(name, 'wx', OWN_FILE).catch((error: unknown) => {
    throw takenOr(error, name)
  })
  await handle.close()
}

const takenOr = (error: unknown, name: string): unknown =>
  (error as NodeJS.ErrnoException).code === 'EEXIST' ? taken(name) : error

/** A name is on the disk only when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
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
