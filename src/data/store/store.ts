/** The store: reading in one consistent view, writing in one transaction that is retried as a whole. */
import type { Username } from '../../paths.ts'
import { failureOf, openPool, type Connection } from '../database/connections.ts'
import { IdAllocator } from './id-allocator.ts'
import type { IdSet, Merge } from '../database/id-sets.ts'
import { migrate } from './migrate.ts'
import { portionsOf, raw, type Dialect, type InsertEach, type Sql } from '../database/sql.ts'
import {
  alone,
  borrowed,
  groupCommit,
  retried,
  snapshot,
  transaction,
  type GroupCommit,
} from '../database/transactions.ts'
import { ValueBounds } from './value-bounds.ts'

/** Who a request runs as. */
export interface Caller {
  readonly userId: number
  readonly username: Username
  readonly role: Role
}

export type Role = 'superuser' | 'user' | 'anonymous'

/** A consistent view of the store in the hands of one caller. */
export interface ReadTx {
  readonly caller: Caller
  readonly dialect: Dialect
  all<Row>(statement: Sql): Promise<Row[]>
  /** The only row, or undefined. */
  one<Row>(statement: Sql): Promise<Row | undefined>
  /** The ids that a statement with the one column `object_id` returns, packed 16 bytes each. */
  ids(statement: Sql): Promise<Buffer>
  /** The same sorted, of the first `most` that a statement returns in no order. */
  sortedIds(statement: Sql, most: number): Promise<Buffer>
  /** Makes one set of two, which are of no use afterwards, where that holds up nobody else. */
  merge(merge: Merge, a: IdSet, b: IdSet): Promise<IdSet>
}

/** A transaction: everything in it comes to be, or nothing does. Only `store.write` makes one. */
export interface WriteTx extends ReadTx {
  /** The time of the change, in microseconds since 1970. */
  readonly now: number
  run(statement: Sql): Promise<number>
  /** Inserts one row for each of the `ids`, which are packed like those of `ids`. */
  insertEach(insert: InsertEach, ids: Buffer): Promise<number>
  /** Notes that a tag has got so many values more, or, below zero, fewer. */
  count(tagId: number, values: number): void
  /** A number that no other tag, namespace or user (by `kind`) has or had. */
  newId(kind: Kind): Promise<number>
  /** Locks the rows that a SELECT returns against other writers; a part of its text. */
  readonly forUpdate: Sql
}

export type Kind = 'namespaces' | 'tags' | 'users'

export interface Store {
  /**
   * Runs `work`, which is one statement and so needs no view to be consistent. Throws `ServiceUnavailable` when the
   * database cannot be reached.
   */
  glance<T>(caller: Caller, work: (tx: ReadTx) => Promise<T>): Promise<T>
  /** Runs short `work` on one consistent view; otherwise like `glance`. */
  read<T>(caller: Caller, work: (tx: ReadTx) => Promise<T>): Promise<T>
  /**
   * Runs `work` that may take long on one consistent view, beside everything else. It is given up, between two
   * statements, when `signal` says that nobody waits for it any more.
   */
  scan<T>(caller: Caller, signal: AbortSignal, work: (tx: ReadTx) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction and answers when it is durable. Deadlocks, lock time-outs and lost
   * connections run it again, so `work` may have no effect but on `tx`; after that, `ServiceUnavailable`. `signal`
   * as for `scan`.
   */
  write<T>(caller: Caller, work: (tx: WriteTx) => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * Runs one statement that writes one row of `tag_values`, and tells whether it did so, durably. It does not where
   * another writer was first, or where `newOf`, the tag that gets a value more, must be counted in a transaction.
   * Throws `ServiceUnavailable`, also where nobody knows whether it did.
   */
  writeRow(statement: Sql, newOf: number | undefined): Promise<boolean>
  /** Brings the schema up to date; several processes may do so at once. */
  migrate(): Promise<void>
  close(): Promise<void>
}

/** The time, in microseconds since 1970. */
export const microsecondsNow = (): number => Math.floor((performance.timeOrigin + performance.now()) * 1000)

/** Opens the store behind a database URL; see `knexConfig` for its forms. */
export function createStore(databaseUrl: string): Store {
  const sqlite = databaseUrl.startsWith('sqlite:')
  const readers = openPool(databaseUrl, 'read')
  const scanners = openPool(databaseUrl, 'scan')
  const writers = openPool(databaseUrl, 'write')
  const ids = new IdAllocator(sqlite ? undefined : readers)
  const bounds = new ValueBounds()
  const writing: GroupCommit = sqlite
    ? groupCommit(writers)
    : { transaction: (work) => transaction(writers, work), alone: (statement) => alone(writers, statement) }

  const writeOnce = async <T>(
    caller: Caller,
    signal: AbortSignal | undefined,
    work: (tx: WriteTx) => Promise<T>,
  ): Promise<T> => {
    const counts = new Map<number, number>()
    const [value, settled] = await writing.transaction(async (connection) => {
      const result = await work({
        ...readTx(connection, caller, signal),
        now: microsecondsNow(),
        run: (statement) => connection.run(statement),
        insertEach: (insert, objects) => connection.insertEach(insert, objects),
        count: (tagId, values) => counts.set(tagId, (counts.get(tagId) ?? 0) + values),
        newId: (kind) => ids.next(kind, connection),
        forUpdate: connection.dialect.forUpdate,
      })
      return [result, await bounds.settle(connection, counts)]
    })
    settled()
    return value
  }

  return {
    glance: (caller, work) =>
      retried(() => borrowed(readers, (connection) => work(readTx(connection, caller)))),
    read: (caller, work) =>
      retried(() => snapshot(readers, (connection) => work(readTx(connection, caller)))),
    scan: (caller, signal, work) =>
      retried(() => snapshot(scanners, (connection) => work(readTx(connection, caller, signal)))),
    write: (caller, work, signal) => retried(() => writeOnce(caller, signal, work)),
    writeRow: async (statement, newOf) => {
      if (newOf !== undefined && !bounds.take(newOf)) return false
      return retried(async () => {
        try {
          return (await writing.alone(statement)) === 1
        } catch (error) {
          if (failureOf(error) === 'conflict') return false
          throw error
        }
      })
    },
    migrate: async () => {
      const migrators = openPool(databaseUrl, 'migrate')
      await migrate(migrators.knex).finally(() => migrators.close())
    },
    close: async () => {
      await Promise.all([readers.close(), scanners.close(), writers.close()])
    },
  }
}

/** Locks what a writer reads, so that it does not build on what another one deletes; readers lock nothing. */
export const lockOf = (tx: ReadTx | WriteTx): Sql => ('forUpdate' in tx ? tx.forUpdate : raw(''))

/** The rows that a statement returns for any number of keys, which go into it in portions. */
export async function allFor<Row, Key>(
  tx: ReadTx,
  keys: readonly Key[],
  statement: (some: readonly Key[]) => Sql,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const some of portionsOf(keys)) rows.push(...(await tx.all<Row>(statement(some))))
  return rows
}

function readTx(connection: Connection, caller: Caller, signal?: AbortSignal): ReadTx {
  const all = <Row>(statement: Sql): Promise<Row[]> => {
    signal?.throwIfAborted()
    return connection.all<Row>(statement)
  }
  return {
    caller,
    dialect: connection.dialect,
    all,
    one: async <Row>(statement: Sql) => (await all<Row>(statement))[0],
    ids: async (statement) => {
      signal?.throwIfAborted()
      return connection.ids(statement)
    },
    sortedIds: async (statement, most) => {
      signal?.throwIfAborted()
      return connection.sortedIds(statement, most)
    },
    merge: async (merge, a, b) => {
      signal?.throwIfAborted()
      return connection.merge(merge, a, b)
    },
  }
}
