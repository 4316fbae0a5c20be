/** The store: the only maker of views, for consistent reads and for writes in a retried transaction. */
import { failureOf } from '../database/failures.ts'
import { groupCommit, type Writing } from '../database/group-commit.ts'
import { openPool } from '../database/pool.ts'
import type { Sql } from '../database/sql.ts'
import { alone, borrowed, retried, snapshot, transaction } from '../database/transactions.ts'
import { IdAllocator } from './id-allocator.ts'
import { migrate } from './migrate.ts'
import { ValueBounds } from './value-bounds.ts'
import { View, WritingView, type Caller, type ReadTx, type WriteTx } from './views.ts'

/** Work in a view that the compiler tells apart from every other view. */
export type Reading<T> = <V>(tx: ReadTx<V>) => Promise<T>

/** Work in a transaction that the compiler tells apart from every other one. */
export type Changing<T> = <V>(tx: WriteTx<V>) => Promise<T>

export interface Store {
  /**
   * Runs `work`, which is a single statement and so needs no consistent view. Throws `ServiceUnavailable` when the
   * database cannot be reached.
   */
  glance<T>(caller: Caller, work: Reading<T>): Promise<T>
  /** Runs short `work` on one consistent view; otherwise like `glance`. */
  read<T>(caller: Caller, work: Reading<T>): Promise<T>
  /**
   * Runs `work` that may take long on one consistent view, without holding up others. When `signal` says that nobody is
   * waiting any more, the work is abandoned between two statements.
   */
  scan<T>(caller: Caller, signal: AbortSignal, work: Reading<T>): Promise<T>
  /**
   * Runs `work` in one transaction and resolves once it is durable. Runs it again after deadlocks, lock time-outs, lost
   * connections and rights withdrawn meanwhile, so `work` may affect nothing but `tx`, apart from the log. Throws
   * `ServiceUnavailable` if retrying does not help. `signal` as for `scan`.
   */
  write<T>(caller: Caller, work: Changing<T>, signal?: AbortSignal): Promise<T>
  /**
   * Runs one statement that writes one row of `tag_values`, and returns whether it did so, durably. It does not if
   * another writer came first, if the statement's own conditions do not hold, or if `newOf`, the tag that gains a
   * value, must be counted in a transaction. Throws `ServiceUnavailable`, also when nobody knows whether it wrote.
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
      const result = await view.finish(work(view.as()))
      const raised = await bounds.settle(connection, view.values)
      // To raise a bound may wait for whoever changes a policy of the same tag.
      await view.recheck()
      return [result, raised]
    })
    settled()
    return value
  }

  return {
    glance: (caller, work) =>
      retried(() => borrowed(readers, (connection) => reading(new View(connection, caller), work))),
    read: (caller, work) =>
      retried(() => snapshot(readers, (connection) => reading(new View(connection, caller), work))),
    scan: (caller, signal, work) =>
      retried(() => snapshot(scanners, (connection) => reading(new View(connection, caller, signal), work))),
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

const reading = <T>(view: View, work: Reading<T>): Promise<T> => view.finish(work(view.as()))

async function wroteOne(writing: Writing, statement: Sql): Promise<boolean> {
  try {
    return (await writing.alone(statement)) === 1
  } catch (error) {
    if (failureOf(error) === 'conflict') return false
    throw error
  }
}
