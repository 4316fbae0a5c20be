/** The store: the only maker of views, to read in one consistent state, and to write in a transaction that is retried. */
import { failureOf } from '../database/failures.ts'
import { groupCommit, type Writing } from '../database/group-commit.ts'
import { openPool } from '../database/pool.ts'
import type { Sql } from '../database/sql.ts'
import { alone, borrowed, retried, snapshot, transaction } from '../database/transactions.ts'
import { IdAllocator } from './id-allocator.ts'
import { migrate } from './migrate.ts'
import { ValueBounds } from './value-bounds.ts'
import { View, WritingView, type Caller, type ReadTx, type WriteTx } from './views.ts'

/** Work in a view that it cannot confuse with another one. */
export type Reading<T> = <V>(tx: ReadTx<V>) => Promise<T>

/** Work in a transaction that it cannot confuse with another one. */
export type Changing<T> = <V>(tx: WriteTx<V>) => Promise<T>

export interface Store {
  /**
   * Runs `work`, which is one statement and so needs no view to be consistent. Throws `ServiceUnavailable` when the
   * database cannot be reached.
   */
  glance<T>(caller: Caller, work: Reading<T>): Promise<T>
  /** Runs short `work` on one consistent view; otherwise like `glance`. */
  read<T>(caller: Caller, work: Reading<T>): Promise<T>
  /**
   * Runs `work` that may take long on one consistent view, without holding up others. It is given up, between two
   * statements, when `signal` says that nobody waits for it any more.
   */
  scan<T>(caller: Caller, signal: AbortSignal, work: Reading<T>): Promise<T>
  /**
   * Runs `work` in one transaction and answers when it is durable. Deadlocks, lock time-outs, lost connections and
   * rights that were withdrawn meanwhile run it again, so `work` may have no effect but on `tx`; after that,
   * `ServiceUnavailable`. `signal` as for `scan`.
   */
  write<T>(caller: Caller, work: Changing<T>, signal?: AbortSignal): Promise<T>
  /**
   * Runs one statement that writes one row of `tag_values`, and says whether it did so, durably. It does not where
   * another writer was first, where the statement's own conditions do not hold, or where `newOf`, the tag that gets a
   * value more, must be counted in a transaction. Throws `ServiceUnavailable`, also where nobody knows whether it did.
   */
  writeRow(statement: Sql, newOf: number | undefined): Promise<boolean>
  /** Brings the schema up to date; several processes may do so at once. */
  migrate(): Promise<void>
  close(): Promise<void>
}

/** Opens the store behind a database URL; see `knexConfig` for its forms. */
export function createStore(databaseUrl: string): Store {
  const sqlite = databaseUrl.startsWith('sqlite:')
  const readers = openPool(databaseUrl, 'read')
  const scanners = openPool(databaseUrl, 'scan')
  const writers = openPool(databaseUrl, 'write')
  const ids = new IdAllocator(sqlite ? undefined : readers)
  const bounds = new ValueBounds()
  const writing: Writing = sqlite
    ? groupCommit(writers)
    : { transaction: (work) => transaction(writers, work), alone: (statement) => alone(writers, statement) }

  const writeOnce = async <T>(
    caller: Caller,
    signal: AbortSignal | undefined,
    work: Changing<T>,
  ): Promise<T> => {
    const [value, settled] = await writing.transaction(async (connection) => {
      const view = new WritingView(connection, caller, signal, (space) => ids.next(space, connection))
      const result = await work(view.as())
      await view.recheck()
      return [result, await bounds.settle(connection, view.values)]
    })
    settled()
    return value
  }

  return {
    glance: (caller, work) =>
      retried(() => borrowed(readers, (connection) => work(new View(connection, caller).as()))),
    read: (caller, work) =>
      retried(() => snapshot(readers, (connection) => work(new View(connection, caller).as()))),
    scan: (caller, signal, work) =>
      retried(() => snapshot(scanners, (connection) => work(new View(connection, caller, signal).as()))),
    write: (caller, work, signal) => retried(() => writeOnce(caller, signal, work)),
    writeRow: async (statement, newOf) => {
      if (newOf !== undefined && !bounds.take(newOf)) return false
      return retried(() => wroteOne(writing, statement))
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

async function wroteOne(writing: Writing, statement: Sql): Promise<boolean> {
  try {
    return (await writing.alone(statement)) === 1
  } catch (error) {
    if (failureOf(error) === 'conflict') return false
    throw error
  }
}
