/**
 * The file of a SQLite database: its path, and who may read and write it.
 *
 * Only SQLite may open the file. POSIX drops all locks that a process has on a file as soon as the process closes any
 * descriptor of it (fcntl(2)); then other programs take the database for unused, and delete its write-ahead log.
 */
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Modes for the owner only; SQLite gives the files beside the database the mode of the database. */
const OWN_FOLDER = 0o700
const OWN_FILE = 0o600
const OF_OTHERS = 0o077
const WRITABLE = 0o222

/** The path of the file that a database URL names. */
export const sqlitePath = (databaseUrl: string): string => databaseUrl.slice('sqlite:'.length)

/** The parts of better-sqlite3 that the service uses; the package has no types. */
export interface SqliteDatabase {
  /** The path of its file. */
  readonly name: string
  readonly open: boolean
  readonly inTransaction: boolean
  pragma(text: string, options?: { readonly simple: boolean }): unknown
  prepare(text: string): SqliteStatement
  function(name: string, options: { readonly directOnly: boolean }, run: () => number): unknown
  close(): unknown
}

export interface SqliteStatement {
  all(...values: unknown[]): unknown[]
  get(...values: unknown[]): unknown
  run(...values: unknown[]): { readonly changes: number }
}

type Open = new (file: string, options?: { readonly fileMustExist: boolean }) => SqliteDatabase

/**
 * Opens the file of a database URL. With `mayCreate`, for the main thread only, it creates a missing file and its folder for
 * the owner alone. Throws `SQLITE_CANTOPEN` for a missing file otherwise, and `SQLITE_READONLY` for a file without write
 * permission (which root could still write) and on a read-only mount, where SQLite can create no files beside it.
 */
export function openFile(
  databaseUrl: string,
  { mayCreate }: { readonly mayCreate: boolean },
): SqliteDatabase {
  const Database = createRequire(import.meta.url)('better-sqlite3') as Open
  const file = sqlitePath(databaseUrl)
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  if (((mode ?? OWN_FILE) & WRITABLE) === 0 || isOnReadOnlyMount(file))
    throw Object.assign(new Error(`'${file}' is read-only`), { code: 'SQLITE_READONLY' })
  if (!mayCreate) return new Database(file, { fileMustExist: true })
  closeToOthers(file)
  mkdirSync(dirname(file), { recursive: true, mode: OWN_FOLDER })
  const before = process.umask(OF_OTHERS)
  try {
    return new Database(file)
  } finally {
    process.umask(before)
  }
}

function isOnReadOnlyMount(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'EROFS'
  }
}

/** Lets only the owner access the files of a database; warns on standard error if that is not possible. */
function closeToOthers(file: string): void {
  for (const part of [file, `${file}-wal`, `${file}-shm`]) {
    const found = statSync(part, { throwIfNoEntry: false })
    // Skips a folder: this would also close it to the users of other files in it.
    if (found?.isFile() !== true || (found.mode & OF_OTHERS) === 0) continue
    try {
      chmodSync(part, OWN_FILE)
    } catch (error) {
      process.emitWarning(`others may have access to the database: ${(error as Error).message}`)
    }
  }
}
