/** SQLite: what runs on one database connection, in this thread or in one of its own. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Connection } from './connections.ts'
import { sorted } from './id-sets.ts'
import { ID_BYTES } from './ids.ts'
import { unpackRows, type PackedRows } from './row-codec.ts'
import { raw, sql, SQLITE, type Bindable, type InsertEach, type Sql } from './sql.ts'

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

/** One thing to do on a connection. Values are numbers, bytes and nulls. */
export type Command =
  | {
      readonly kind: 'all' | 'run' | 'ids' | 'sortedIds'
      readonly text: string
      readonly values: readonly unknown[]
    }
  | { readonly kind: 'insertEach'; readonly insert: InsertEach; readonly ids: Uint8Array }

/** An error of the driver as it passes between threads. */
export interface DriverError {
  readonly message: string
  readonly code: string | undefined
}

/** What is told of an error to another thread. */
export const toldOf = (error: unknown): DriverError => {
  const { message, code } = error as { message: string; code?: string }
  return { message, code }
}

const PREPARED_STATEMENTS = 500

/**
 * Prepares a connection for its work. `waitMs` is how long a statement waits for a lock, holding up its thread;
 * `cacheMib` is how much of the database it keeps in memory.
 */
export function configure(db: SqliteDatabase, waitMs: number, cacheMib: number): void {
  db.pragma(`busy_timeout = ${String(waitMs)}`)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma(`cache_size = ${String(-1024 * cacheMib)}`)
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
  const insertEach = (insert: InsertEach, ids: Uint8Array): number => {
    const places = insert.columns.map(() => '?').join(', ')
    const text = `INSERT INTO ${insert.table} (${insert.columns.join(', ')}) VALUES (${places}) ${insert.conflict}`
    const statement = prepare(text)
    const values: unknown[] = insert.columns.map((column) => insert.values[column])
    const place = insert.columns.indexOf('object_id')
    let changes = 0
    for (let at = 0; at < ids.length; at += ID_BYTES) {
      values[place] = Buffer.from(ids.buffer, ids.byteOffset + at, ID_BYTES)
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
      case 'ids':
        return ids(command.text, command.values)
      case 'sortedIds':
        return sorted(ids(command.text, command.values))
    }
  }
}

const bound = ({ text, values }: Sql): { text: string; values: unknown[] } => ({
  text,
  values: values.map((value: Bindable) => (typeof value === 'string' ? Buffer.from(value) : value)),
})

/** A connection whose commands are done by `execute`, here or elsewhere. */
export function sqliteConnection(execute: (command: Command) => Promise<unknown>): Connection {
  return {
    dialect: SQLITE,
    all: <Row>(statement: Sql) => execute({ kind: 'all', ...bound(statement) }) as Promise<Row[]>,
    run: (statement) => execute({ kind: 'run', ...bound(statement) }) as Promise<number>,
    ids: (statement) => execute({ kind: 'ids', ...bound(statement) }) as Promise<Buffer>,
    // SQLite would sort rows, which takes several times as long as sorting ids.
    sortedIds: (statement, most) =>
      execute({
        kind: 'sortedIds',
        ...bound(sql`${statement} LIMIT ${raw(String(most))}`),
      }) as Promise<Buffer>,
    insertEach: (insert, ids) => execute({ kind: 'insertEach', insert, ids }) as Promise<number>,
  }
}

/** What a thread answers: rows, ids, anything else as it is, or an error with its driver's code. */
export type ThreadReply = { readonly id: number } & (
  | { readonly rows: PackedRows }
  | { readonly ids: Uint8Array }
  | { readonly result: unknown }
  | { readonly error: DriverError }
)

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** A SQLite connection in a thread of its own, so that a long statement holds up nobody else. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #commands = 0

  /** Opens the database at `filename`; the rest as for `configure`. */
  constructor(filename: string, waitMs: number, cacheMib: number) {
    // The name ends otherwise once it is compiled.
    const program = new URL(`./sqlite-thread${extname(import.meta.url)}`, import.meta.url)
    this.#worker = new Worker(program, { workerData: { filename, waitMs, cacheMib }, execArgv: [] })
    this.#worker.on('message', (reply: ThreadReply) => {
      this.#settle(reply)
    })
    this.#worker.on('error', (error: Error) => {
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    })
    this.#worker.unref()
  }

  /** Has the thread do a command. Rejects with the error of the driver, its `code` included. */
  execute(command: Command): Promise<unknown> {
    const id = this.#commands++
    // Only somebody who waits for an answer keeps the process alive.
    if (this.#waiting.size === 0) this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, command })
    })
  }

  /** Ends the thread; what it has not committed is undone. */
  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if ('error' in reply) {
      waiting?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }))
    } else if ('rows' in reply) waiting?.resolve(unpackRows(reply.rows))
    else if ('ids' in reply) waiting?.resolve(Buffer.from(reply.ids.buffer))
    else waiting?.resolve(reply.result)
  }
}
