/**
 * Keeps room on the disk for deleting, and the write-ahead log short. A deletion writes to the log before it frees anything,
 * so on a disk without room it would fail, too.
 */
import { statfsSync, statSync } from 'node:fs'
import type { Command } from '../connection/connection.ts'
import type { Bindable } from '../connection/sql.ts'
import { ID_BYTES } from '../ids/ids.ts'
import type { SqliteDatabase } from './sqlite-file.ts'

const MIB = 1024 * 1024

/** The room that only deletions may use, in bytes; on a small disk it is a share of the disk. */
export const MOST_KEPT_BYTES = 192 * 1024 * 1024
const KEPT_SHARE = 0.1

/**
 * Above this size the log is emptied before the next write. SQLite does so after 10,000 pages, but only at a moment without
 * readers.
 */
const LONG_LOG_BYTES = 64 * 1024 * 1024

/** For how long one look at the disk serves, in milliseconds: it takes about as long as a short statement. */
const LOOK_MS = 5

/** After how long the log is to be emptied again if a reader needed it. */
const RETRY_MS = 1000

/** Looks before each write whether the disk has room for it. The command throws `SQLITE_FULL` for a value without room. */
export function keepingRoom(
  db: SqliteDatabase,
  execute: (command: Command) => unknown,
): (command: Command) => unknown {
  const room = new Room(db)
  return (command) => {
    const added = addedBytes(command)
    if (added !== undefined || isBeginning(command)) {
      room.look()
      // They take their room in the log, and then in the file.
      const missing = room.missing + 2 * (added ?? 0)
      if (added !== undefined && missing > 0) throw noRoom(missing)
    }
    return execute(command)
  }
}

class Room {
  /** How many bytes are missing to what is kept for deleting. */
  missing = 0
  readonly #db: SqliteDatabase
  #lookAfter = -Infinity
  #emptyAfter = -Infinity

  constructor(db: SqliteDatabase) {
    this.#db = db
  }

  /** Looks at the disk, and empties the log if it is long or its room is needed. */
  look(): void {
    const now = performance.now()
    if (now < this.#lookAfter) return
    const isLong = this.#measure()
    if ((this.missing > 0 || isLong) && now >= this.#emptyAfter && !this.#db.inTransaction) {
      if (!emptyLog(this.#db)) this.#emptyAfter = now + RETRY_MS
      this.#measure()
    }
    this.#lookAfter = now + LOOK_MS
  }

  /** Returns whether the log is long. */
  #measure(): boolean {
    const { name } = this.#db
    const log = statSync(`${name}-wal`, { throwIfNoEntry: false })?.size ?? 0
    // The file may grow by as much as is in the log.
    this.missing = missingOnDisk(name) + log
    return log > LONG_LOG_BYTES
  }
}

/** How many bytes a disk lacks of those that are kept; negative if it has more. */
function missingOnDisk(file: string): number {
  const disk = diskOf(file)
  return disk === undefined ? -Infinity : keptOf(disk.size) - disk.free
}

/** The size and the free room of a disk in bytes; undefined for a file in memory, and for one that was deleted and is open. */
function diskOf(file: string): { readonly size: number; readonly free: number } | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(file)
    // Some file systems have no numbers.
    return blocks > 0 ? { size: blocks * bsize, free: bavail * bsize } : undefined
  } catch {
    return undefined
  }
}

const keptOf = (diskBytes: number): number => Math.min(MOST_KEPT_BYTES, diskBytes * KEPT_SHARE)

/**
 * How many bytes of changed pages a writer may have in its cache. A commit writes them into the log at once, and then they
 * go into the file: the room that is kept suffices for both.
 */
export function mostInCache(file: string): number {
  const disk = diskOf(file)
  return disk === undefined ? Infinity : keptOf(disk.size) / 3
}

/**
 * How many bytes a command that stores values, or a thing, stores at least; undefined for other commands, such as those that
 * delete.
 */
function addedBytes(command: Command): number | undefined {
  switch (command.do) {
    case 'insert':
      return command.cells.reduce<number>((sum, cell) => sum + bytesOf(cell), 0)
    case 'insertEach': {
      const row = Object.values(command.insert.values)
      return (command.ids.length / ID_BYTES) * row.reduce<number>((sum, cell) => sum + bytesOf(cell), 0)
    }
    case 'run':
      // A single value, of at most 512 bytes.
      return /^(?:INSERT INTO|UPDATE) tag_values/.test(command.text) ? 0 : undefined
    default:
      return undefined
  }
}

const bytesOf = (cell: Bindable): number => (Buffer.isBuffer(cell) ? cell.length : 0)

const isBeginning = (command: Command): boolean => command.do === 'run' && command.text === 'BEGIN IMMEDIATE'

/** Brings the pages in the log into the file, and cuts off the log; returns false if a reader, or the disk, prevents it. */
export function emptyLog(db: SqliteDatabase): boolean {
  try {
    return db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0
  } catch {
    return false
  }
}

const noRoom = (missing: number): Error =>
  Object.assign(
    new Error(
      `the disk is almost full: ${String(Math.ceil(missing / MIB))} MiB are missing to the room that is kept for deleting`,
    ),
    { code: 'SQLITE_FULL' },
  )
