/** SQLite: runs commands on one database connection, in this thread or in its own. */
import type { BoundStatement, Command, InsertRows, Purpose } from '../connection/connection.ts'
import { SQLITE, type InsertEach } from '../connection/dialects.ts'
import { mergeIds, sortIds } from '../ids/id-set-merging.ts'
import { insertText } from '../connection/sql.ts'
import { keepingRoom, mostInCache } from './room.ts'
import { openFile, type SqliteDatabase, type SqliteStatement } from './sqlite-file.ts'

const PREPARED_STATEMENTS = 500

/**
 * The driver waits for a lock inside the call, which blocks the thread. So the store retries outside the call; Knex would
 * not, but no requests are served while it migrates.
 */
const BUSY_MS: Readonly<Record<Purpose, number>> = {
  lookup: 50,
  read: 50,
  scan: 50,
  write: 50,
  row: 50,
  migrate: 10_000,
}

/** How much of the database each connection caches, in MiB; the rest is in the system's cache. */
const CACHE_MIB: Readonly<Record<Purpose, number>> = {
  lookup: 8,
  read: 8,
  scan: 32,
  write: 64,
  row: 64,
  migrate: 8,
}

/**
 * Prepares a connection for its purpose. `isStopped` says whether a long statement must end: with this driver, only an
 * exception in a function that the statement calls can stop it.
 */
export function configure(db: SqliteDatabase, purpose: Purpose, isStopped = (): boolean => false): void {
  db.function('go_on', { directOnly: true }, () => {
    if (isStopped()) throw Object.assign(new Error('the statement was stopped'), { code: 'SQLITE_INTERRUPT' })
    return 1
  })
  db.pragma(`busy_timeout = ${String(BUSY_MS[purpose])}`)
  // SQLite accepts this only while the file has no pages: the change to a write-ahead log makes the first one.
  if (db.pragma('page_count', { simple: true }) === 0) db.pragma('auto_vacuum = INCREMENTAL')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  const cacheKib = 1024 * CACHE_MIB[purpose]
  const most = purpose === 'write' ? Math.min(cacheKib, mostInCache(db.name) / 1024) : cacheKib
  db.pragma(`cache_size = ${String(-Math.floor(most))}`)
  db.pragma('wal_autocheckpoint = 10000')
}

/** Opens a connection as `openFile` does, and prepares it; `isStopped` is as for `configure`. */
export function open(databaseUrl: string, purpose: Purpose, isStopped?: () => boolean): SqliteDatabase {
  const db = openFile(databaseUrl, { mayCreate: purpose === 'migrate' })
  configure(db, purpose, isStopped)
  return db
}

/** Returns a function that runs a statement and returns its rows. */
export function finder(db: SqliteDatabase): (statement: BoundStatement) => unknown[] {
  const prepare = preparer(db)
  return ({ text, values }) => prepare(text).all(...values)
}

/** Returns a function that prepares statements, each only once. */
function preparer(db: SqliteDatabase): Prepare {
  const prepared = new Map<string, SqliteStatement>()
  return (text) => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    if (prepared.size >= PREPARED_STATEMENTS) prepared.clear()
    // SQLite recompiles a join whenever a bare parameter gets a value, in case the plan depends on it.
    const statement = db.prepare(text.replaceAll('?', '+?'))
    prepared.set(text, statement)
    return statement
  }
}

/** Returns a function that runs commands on a connection, one after the other. */
export function executor(db: SqliteDatabase): (command: Command) => unknown {
  const prepare = preparer(db)
  const execute = (command: Command): unknown => {
    switch (command.do) {
      case 'all':
        return prepare(command.text).all(...command.values)
      case 'run':
        return prepare(command.text).run(...command.values).changes
      case 'insert':
        return insertRows(prepare, command)
      case 'insertEach':
        return insertEach(prepare, command.insert, command.ids)
      case 'merge':
        return mergeIds(command.merge, command.a, command.b)
      case 'ids':
        return packedIds(prepare, command.text, command.values)
      case 'sortedIds':
        // SQLite would sort rows, which takes several times as long as sorting ids here.
        return sortIds(packedIds(prepare, `${command.text} LIMIT ${String(command.limit)}`, command.values))
    }
  }
  return keepingRoom(db, untilRolledBack(db, execute))
}

/**
 * When the disk is full, SQLite may roll back a whole transaction by itself, and would then commit each later statement by
 * itself. So each later command fails with the same error until the transaction is rolled back.
 */
function untilRolledBack(
  db: SqliteDatabase,
  execute: (command: Command) => unknown,
): (command: Command) => unknown {
  let ended: { readonly by: unknown } | undefined
  let inside = false
  return (command) => {
    if (ended !== undefined) {
      if (!isRollback(command)) throw ended.by
      ended = undefined
      return 0
    }
    try {
      const result = execute(command)
      // This asks the driver only after some commands: the call costs a tenth of a short statement.
      if (beginsOrEnds(command)) inside = db.inTransaction
      return result
    } catch (error) {
      const wasInside = inside
      inside = db.inTransaction
      if (wasInside && !inside) ended = { by: error }
      if (!inside && mayHaveCommitted(command, error)) overwriteFrames(db)
      throw error
    }
  }
}

/** Whether an error belongs to a commit that SQLite has perhaps written to its log, but not synced. */
const mayHaveCommitted = (command: Command, error: unknown): boolean =>
  ['run', 'insert', 'insertEach'].includes(command.do) &&
  /^SQLITE_(?:IOERR|FULL)/.test(String((error as { code?: unknown }).code))

/**
 * Overwrites the frames of a failed commit. They are at the end of the log, where the next commit would overwrite them. If
 * the process is killed before, the next one to open the database would take them for a completed commit.
 */
function overwriteFrames(db: SqliteDatabase): void {
  try {
    // Writes the first page without changing it.
    db.pragma('user_version = 0')
  } catch {
    // The caller gets the error of the commit in any case.
  }
}

/** Whether a command may begin or end a transaction. Savepoints do, too, but here only inside of one. */
const beginsOrEnds = (command: Command): boolean =>
  command.do === 'run' && /^(?:BEGIN|COMMIT|ROLLBACK)/.test(command.text)

const isRollback = (command: Command): boolean => command.do === 'run' && command.text === 'ROLLBACK'

type Prepare = (text: string) => SqliteStatement

/** How many rows one statement inserts at most. */
const MOST_ROWS = 128

/**
 * Inserts rows in statements of as many rows as a power of two: these are few, and each is prepared once. If one fails, the
 * whole work fails and is undone: to undo the statement alone, SQLite would write all pages twice.
 */
function insertRows(prepare: Prepare, insert: InsertRows): number {
  const { columns, cells } = insert
  let changes = 0
  let left = cells.length / columns.length
  for (let size = MOST_ROWS; left > 0; size /= 2) {
    for (; left >= size; left -= size) {
      const end = cells.length - (left - size) * columns.length
      const some = cells.slice(end - size * columns.length, end)
      changes += prepare(rowsText(insert, size)).run(...some).changes
    }
  }
  return changes
}

/** The texts of these statements: looking up an equal text that is another string takes long. */
const rowsTexts = new Map<string, string>()

function rowsText({ table, columns, conflict }: InsertRows, rows: number): string {
  const key = `${table} ${String(rows)} ${conflict}`
  const known = rowsTexts.get(key)
  if (known !== undefined) return known
  const text = insertText(table, columns, rows, conflict).replace('INSERT', 'INSERT OR FAIL')
  rowsTexts.set(key, text)
  return text
}

/** Inserts the rows by one statement, which unpacks the ids: one statement for each row takes twice as long. */
function insertEach(
  prepare: Prepare,
  { table, columns, values: row, conflict }: InsertEach,
  ids: Buffer,
): number {
  const others = columns.filter((column) => column !== 'object_id')
  const each = SQLITE.idsAsTable(ids)
  const text = `INSERT OR FAIL INTO ${table} (${[...others, 'object_id'].join(', ')})
    SELECT ${others.map(() => '?, ').join('')}object_id FROM ${each.text} WHERE 1 ${conflict}`
  return prepare(text).run(...others.map((column) => row[column]), ...each.values).changes
}

function packedIds(prepare: Prepare, statement: string, values: readonly unknown[]): Buffer {
  // SQLite returns one value fifteen times faster than a million rows. SQLite treats bytes as text here and keeps them
  // intact.
  const text = `SELECT CAST(group_concat(object_id, '') AS BLOB) AS ids FROM (${statement})`
  const row = prepare(text).get(...values) as { ids: Buffer | null }
  return row.ids ?? Buffer.alloc(0)
}
