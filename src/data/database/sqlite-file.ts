/** The file of a SQLite database: where it is, and who may read and write it. */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** What only the owner may read and write; SQLite gives the files beside the database the mode of the database. */
const OWN_FOLDER = 0o700
const OWN_FILE = 0o600
const OF_OTHERS = 0o077
const WRITABLE = 0o222

/** The path of the file that a database URL names. */
export const sqlitePath = (databaseUrl: string): string => databaseUrl.slice('sqlite:'.length)

/**
 * The file of a database URL. Creates it and its folder, for the owner alone, if they are missing. Throws if nobody is to
 * write the file, which would not keep root from doing so.
 */
export function sqliteFile(databaseUrl: string): string {
  const file = sqlitePath(databaseUrl)
  if (((statSync(file, { throwIfNoEntry: false })?.mode ?? OWN_FILE) & WRITABLE) === 0)
    throw Object.assign(new Error(`'${file}' is read-only`), { code: 'SQLITE_READONLY' })
  mkdirSync(dirname(file), { recursive: true, mode: OWN_FOLDER })
  closeSync(openSync(file, 'a', OWN_FILE))
  return file
}

/** Closes the files of a database to everybody but the owner; warns on standard error if that is not possible. */
export function closeToOthers(file: string): void {
  for (const part of [file, `${file}-wal`, `${file}-shm`]) {
    const mode = statSync(part, { throwIfNoEntry: false })?.mode ?? OWN_FILE
    if ((mode & OF_OTHERS) === 0) continue
    try {
      chmodSync(part, OWN_FILE)
    } catch (error) {
      process.emitWarning(`others may have access to the database: ${(error as Error).message}`)
    }
  }
}
