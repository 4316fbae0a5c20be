/** The store: reading in one consistent view, writing in one transaction that is retried as a whole. */
import type { Username } from '../paths.ts'
import { openPool, type Connection } from './connections.ts'
import { IdAllocator } from './id-allocator.ts'
import { migrate } from './migrate.ts'
import { portionsOf, raw, type Dialect, type Sql } from './sql.ts'
import { groupCommit, retried, snapshot, transaction, type Work } from './transactions.ts'

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
}

/** A transaction: everything in it comes to be, or nothing does. Only `store.write` makes one. */
export interface WriteTx extends ReadTx {
  /** The time of the change, in microseconds since 1970. */
  readonly now: number
  run(statement: Sql): Promise<number>
  /** A number that no other tag, namespace or user (by `kind`) has or had. */
  newId(kind: Kind): Promise<number>
  /** Locks the rows that a SELECT returns against other writers; a part of its text. */
  readonly forUpdate: Sql
}

export type Kind = 'namespaces' | 'tags' | 'users'

export interface Store {
  /** Runs `work` on one consistent view. Throws `ServiceUnavailable` when the database cannot be reached. */
  read<T>(caller: Caller, work: (tx: ReadTx) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction and answers when it is durable. Deadlocks, lock time-outs and lost
   * connections run it again, so `work` may have no effect but on `tx`; after that, `ServiceUnavailable`.
   */
  write<T>(caller: Caller, work: (tx: WriteTx) => Promise<T>): Promise<T>
  /** Brings the schema up to date; several processes may do so at once. */
  migrate(): Promise<void>
  close(): Promise<void>
}

/** Opens the store behind a database URL; see `knexConfig` for its forms. */
export function createStore(databaseUrl: string): Store {
  const readers = openPool(databaseUrl, 'read')
  const writers = openPool(databaseUrl, 'write')
  const sqlite = databaseUrl.startsWith('sqlite:')
  const ids = new IdAllocator(sqlite ? undefined : readers)
  const commit = sqlite ? groupCommit(writers) : (work: Work<unknown>) => transaction(writers, work)

  const read = <T>(caller: Caller, work: (tx: ReadTx) => Promise<T>): Promise<T> =>
    retried(() => snapshot(readers, (connection) => work(readTx(connection, caller))))

  const write = <T>(caller: Caller, work: (tx: WriteTx) => Promise<T>): Promise<T> =>
    retried(
      () =>
        commit((connection) =>
          work({
            ...readTx(connection, caller),
            now: Math.floor((performance.timeOrigin + performance.now()) * 1000),
            run: (statement) => connection.run(statement),
            newId: (kind) => ids.next(kind, connection),
            forUpdate: connection.dialect.forUpdate,
          }),
        ) as Promise<T>,
    )

  return {
    read,
    write,
    migrate: async () => {
      const migrators = openPool(databaseUrl, 'migrate')
      await migrate(migrators.knex).finally(() => migrators.close())
    },
    close: async () => {
      await Promise.all([readers.close(), writers.close()])
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

function readTx(connection: Connection, caller: Caller): ReadTx {
  return {
    caller,
    dialect: connection.dialect,
    all: (statement) => connection.all(statement),
    one: async <Row>(statement: Sql) => (await connection.all<Row>(statement))[0],
    ids: (statement) => connection.ids(statement),
  }
}
