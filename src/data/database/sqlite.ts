/** SQLite: what runs on one database connection, in this thread or in one of its own. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from './commands.ts'
import type { Purpose } from './connections.ts'
import { MERGES, sorted } from './id-sets.ts'
import { ID_BYTES } from './ids.ts'
import type { InsertEach } from './sql.ts'

/** As much of better-sqlite3, which comes without types, as is used here. */
export interface SqliteDatabase {
  pragma(text: string): unknown
  prepare(text: string): SqliteStatement
}

interface SqliteStatement {
  all(...values: unknown[]): unknown[]
  get(...values: unknown[]): unknown
  run(...values: unknown[]): { readonly changes: number }
}

/** The file of a database URL; its folder is there afterwards. */
export function sqliteFile(databaseUrl: string): string {
  const file = databaseUrl.slice('sqlite:'.length)
  mkdirSync(dirname(file), { recursive: true })
  return file
}

const PREPARED_STATEMENTS = 500

/**
 * The driver waits for a lock inside the call and stops the thread. The store tries again, outside of it; knex would
 * not, but nothing is served yet while it migrates.
 */
const BUSY_MS: Readonly<Record<Purpose, number>> = { read: 50, scan: 50, write: 50, migrate: 10_000 }

/** What one connection keeps of a database; the rest is in the cache of the system. */
const CACHE_MIB: Readonly<Record<Purpose, number>> = { read: 8, scan: 64, write: 64, migrate: 8 }

/** Prepares a connection for its purpose. */
export function configure(db: SqliteDatabase, purpose: Purpose): void {
  db.pragma(`busy_timeout = ${String(BUSY_MS[purpose])}`)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma(`cache_size = ${String(-1024 * CACHE_MIB[purpose])}`)
  db.pragma('wal_autocheckpoint = 10000')
}

/** Runs commands on a connection, one after the other, with statements prepared once. */
export function executor(db: SqliteDatabase): (command: Command) => unknown {
  const prepared = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    if (prepared.size >= PREPARED_STATEMENTS) prepared.clear()
    // SQLite compiles a join anew whenever a bare parameter gets a value, in case its plan should depend on that.
    const statement = db.prepare(text.replaceAll('?', '+?'))
    prepared.set(text, statement)
    return statement
  }
  const insertEach = (insert: InsertEach, ids: Buffer): number => {
    const places = insert.columns.map(() => '?').join(', ')
    const text = `INSERT INTO ${insert.table} (${insert.columns.join(', ')}) VALUES (${places}) ${insert.conflict}`
    const statement = prepare(text)
    const values: unknown[] = insert.columns.map((column) => insert.values[column])
    const place = insert.columns.indexOf('object_id')
    let changes = 0
    for (let at = 0; at < ids.length; at += ID_BYTES) {
      values[place] = ids.subarray(at, at + ID_BYTES)
      changes += statement.run(...values).changes
    }
    return changes
  }
  const ids = (statement: string, values: readonly unknown[]): Buffer => {
    // One value leaves SQLite fifteen times faster than a million rows. It takes bytes for text, and keeps them.
    const text = `SELECT CAST(group_concat(object_id, '') AS BLOB) AS ids FROM (${statement})`
    const row = prepare(text).get(...values) as { ids: Buffer | null }
    return row.ids ?? Buffer.alloc(0)
  }
  return (command) => {
    switch (command.kind) {
      case 'all':
        return prepare(command.text).all(...command.values)
      case 'run':
        return prepare(command.text).run(...command.values).changes
      case 'insertEach':
        return insertEach(command.insert, command.ids)
      case 'merge':
        return MERGES[command.merge](command.a, command.b)
      case 'ids':
        return ids(command.text, command.values)
      case 'sortedIds':
        // SQLite would sort rows, which takes several times as long as sorting ids.
        return sorted(ids(`${command.text} LIMIT ${String(command.most)}`, command.values))
    }
  }
}
