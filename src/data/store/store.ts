/** The store: the only maker of views, for consistent reads and for writes in a retried transaction. */
import type { Purpose } from '../database/connection/connection.ts'
import { ServiceError } from '../../model/errors.ts'
import { Demotion } from '../database/demotion.ts'
import { failureOf, isSilence } from '../database/connection/failures.ts'
import { groupCommit, type Writing } from '../database/group-commit.ts'
import { SCAN_PLACES } from '../database/knex-config.ts'
import { openPool, type Load, type Pool } from '../database/pool.ts'
import type { Sql } from '../database/connection/sql.ts'
import { alone, borrowed, retried, snapshot, transaction, type Work } from '../database/transactions.ts'
import { waitsFor, type Waits } from '../database/connection/waits.ts'
import { IdAllocator } from './id-allocator.ts'
import { migrate } from './migrate.ts'
import type { Migrations } from './migrations/index.ts'
import { FairSlots } from './fair-slots.ts'
import { ValueBounds } from './value-bounds.ts'
import { SHORT_VIEW_ROWS } from './costs.ts'
import { partyOf, SPENT, View, type Caller, type Ends, type ReadTx, type WriteTx } from './views.ts'
import { WritingView } from './writing-view.ts'

/** Work in a view that the compiler tells apart from every other view. */
export type Reading<T> = <V>(tx: ReadTx<V>) => Promise<T>

/** Work in a transaction that the compiler tells apart from every other one. */
export type Changing<T> = <V>(tx: WriteTx<V>) => Promise<T>

export interface Store {
  /**
   * The first row of a single statement, which needs no consistent view and itself contains any check of rights. Throws
   * `ServiceUnavailable` when the database cannot be reached.
   */
  readRow<Row>(statement: Sql): Promise<Row | undefined>
  /** Runs short `work` on one consistent view. Throws as `readRow`. */
  read<T>(caller: Caller, work: Reading<T>): Promise<T>
  /**
   * Runs `work` that may take long on one consistent view. Other requests do not wait for it: it has its own thread, and a
   * place of the caller's share. Stops the work when `signal` says that the client no longer waits. Throws
   * `ServiceUnavailable` also if there is no place in time.
   */
  scan<T>(caller: Caller, signal: AbortSignal, work: Reading<T>): Promise<T>
  /**
   * Runs `work` that may read few rows or many: as `read` within `SHORT_VIEW_ROWS`, and again as `scan` if they are not
   * enough. So `work` must have no effect except its result.
   */
  look<T>(caller: Caller, signal: AbortSignal, work: Reading<T>): Promise<T>
  /**
   * Runs `work` in one transaction and resolves once it is durable. Runs it again after deadlocks, lock time-outs, lost
   * connections and rights withdrawn meanwhile, so `work` must affect nothing but `tx` and the log. Throws
   * `ServiceUnavailable` if the retries fail. With a `signal` it may take long; else as for `scan`.
   */
  write<T>(caller: Caller, work: Changing<T>, signal?: AbortSignal): Promise<T>
  /**
   * Runs one statement that writes one row of `tag_values`, and returns whether it did so, durably. It does not if another
   * writer came first, if the statement's own conditions do not hold, or if `newOf`, the tag that gains a value, must be
   * counted in a transaction. Throws `ServiceUnavailable`, also when the outcome is unknown.
   */
  writeRow(statement: Sql, newOf: number | undefined): Promise<boolean>
  /** Brings the schema up to date; several processes may do so at once. */
  migrate(migrations?: Migrations): Promise<void>
  close(): Promise<void>
}

/** A store that reports the load of its places. */
export interface DatabaseStore extends Store {
  /** The places for short reads, for searches and for writes. */
  loads(): Readonly<Record<'read' | 'scan' | 'write', Load>>
  /** The pools of connections by their purpose, with the most connections that each opens. */
  pools(): Readonly<Record<string, Load & { readonly size: number }>>
}

/** How long a scan waits for its turn, in milliseconds: long work may wait long. */
const SCAN_WAIT_MS = 60_000
/** How many scans of one party may wait. */
const MAX_WAITING = 200

/** The maximum delay of `setTimeout`: longer than any query lasts. */
const UNLIMITED_MS = 2 ** 31 - 1

/**
 * Opens the store behind a database URL; see `knexConfig` for its forms. `queryTimeoutMs` limits the queries of one request,
 * in milliseconds, and `waits` every wait for the database.
 */
export function createStore(
  databaseUrl: string,
  queryTimeoutMs = UNLIMITED_MS,
  waits = waitsFor(queryTimeoutMs),
): DatabaseStore {
  const sqlite = databaseUrl.startsWith('sqlite:')
  const pools = openPools(databaseUrl, waits)
  const { lookups, readers, writers, rows } = pools
  const ids = new IdAllocator(sqlite ? undefined : readers)
  const bounds = new ValueBounds()
  const places = new FairSlots({ ...SCAN_PLACES, waitMs: SCAN_WAIT_MS, queue: MAX_WAITING, endsAll })
  const writing = sqlite ? groupCommit(writers) : eachByItself(writers, rows)

  const resources: WriteResources = { writing, ids, bounds }
  const inTransaction = Math.min(queryTimeoutMs, waits.findingInTransaction)
  return {
    readRow: async <Row>(statement: Sql) => (await rowsOf<Row>(lookups, statement))[0],
    ...readsOn(pools, places, queryTimeoutMs),
    write: (caller, work, signal) => {
      const ends: Ends = { signal, timeLeft: { ms: inTransaction } }
      return retried(() => writeOnce(resources, { caller, ends }, work))
    },
    writeRow: async (statement, newOf) => {
      if (newOf !== undefined && !bounds.take(newOf)) return false
      const wrote = await retried(() => wroteOne(writing, statement))
      if (!wrote && newOf !== undefined) bounds.giveBack(newOf)
      return wrote
    },
    migrate: async (migrations) => {
      const migrators = openPool(databaseUrl, 'migrate')
      await migrate(migrators.knex, migrations).finally(() => migrators.close())
    },
    loads: () => ({ read: sum(lookups.load(), readers.load()), scan: places.load(), write: writing.load() }),
    pools: () => {
      const purposes = Object.entries(pools).filter(([purpose]) => !sqlite || purpose !== 'rows')
      return Object.fromEntries(
        purposes.map(([purpose, pool]) => [purpose, { ...pool.load(), size: pool.size }]),
      )
    },
    close: async () => {
      await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.close()))
    },
  }
}

/** The views for reading, in which the queries of one request may run for `queryTimeoutMs` in all. */
function readsOn(
  { readers, scanners }: Pools,
  places: FairSlots,
  queryTimeoutMs: number,
): Pick<Store, 'read' | 'scan' | 'look'> {
  const fresh = (): Pick<Ends, 'timeLeft'> => ({ timeLeft: { ms: queryTimeoutMs } })
  const read = <T>(caller: Caller, ends: Ends, work: Reading<T>): Promise<T> =>
    retried(() => snapshot(readers, reading(caller, ends, work)))
  const scan = <T>(caller: Caller, ends: Ends & { signal: AbortSignal }, work: Reading<T>): Promise<T> =>
    places.run(partyOf(caller), ends.signal, () =>
      retried(() => snapshot(scanners, reading(caller, ends, work))),
    )
  return {
    read: (caller, work) => read(caller, { signal: undefined, ...fresh() }, work),
    scan: (caller, signal, work) => scan(caller, { signal, ...fresh() }, work),
    look: async (caller, signal, work) => {
      const ends = fresh()
      try {
        return await read(caller, { signal: undefined, ...ends, rows: SHORT_VIEW_ROWS }, work)
      } catch (error) {
        if (error !== SPENT) throw error
      }
      return scan(caller, { signal, ...ends }, work)
    },
  }
}

/** Whether work failed because the server does not answer: each queued request would wait for it in turn. */
const endsAll = (error: unknown): boolean => error instanceof ServiceError && isSilence(error.cause)

const sum = (a: Load, b: Load): Load => ({ taken: a.taken + b.taken, waiting: a.waiting + b.waiting })

async function rowsOf<Row>(lookups: Pool, statement: Sql): Promise<Row[]> {
  try {
    if (lookups.find !== undefined) return lookups.find(statement) as Row[]
  } catch {
    // `retried` below decides whether to wait, to try again or to give up.
  }
  return retried(() => borrowed(lookups, (connection) => connection.all<Row>(statement)))
}

const eachByItself = (writers: Pool, rows: Pool): Writing => ({
  transaction: (work, patient) => transaction(writers, work, patient),
  alone: (statement) => alone(rows, statement),
  load: () => sum(writers.load(), rows.load()),
})

type Pools = Readonly<Record<'lookups' | 'readers' | 'scanners' | 'writers' | 'rows', Pool>>

function openPools(databaseUrl: string, waits: Waits): Pools {
  const options = { waits, demotion: new Demotion() }
  const open = (purpose: Purpose): Pool => openPool(databaseUrl, purpose, options)
  const writers = open('write')
  return {
    lookups: open('lookup'),
    readers: open('read'),
    scanners: open('scan'),
    writers,
    // SQLite has one writer for all writes.
    rows: databaseUrl.startsWith('sqlite:') ? writers : open('row'),
  }
}

function reading<T>(caller: Caller, ends: Ends, work: Reading<T>): Work<T> {
  return (connection) => {
    const view = new View(connection, caller, ends)
    return view.finish(work(view.as()))
  }
}

/** The parts that all writes of a process share. */
interface WriteResources {
  readonly writing: Writing
  readonly ids: IdAllocator
  readonly bounds: ValueBounds
}

/** One attempt at a transaction. */
async function writeOnce<T>(
  { writing, ids, bounds }: WriteResources,
  { caller, ends }: { caller: Caller; ends: Ends },
  work: Changing<T>,
): Promise<T> {
  const attempt: Work<[T, () => void]> = async (connection) => {
    const view = new WritingView(connection, caller, ends, ids.on(connection))
    const result = await view.finish(work(view.as()))
    const raised = await bounds.settle(connection, view.values)
    // Raising a bound may wait for another transaction that changes a policy of the same tag.
    await view.recheck()
    return [result, raised]
  }
  const [value, settled] = await writing.transaction(attempt, ends.signal !== undefined)
  settled()
  return value
}

async function wroteOne(writing: Writing, statement: Sql): Promise<boolean> {
  try {
    return (await writing.alone(statement)) === 1
  } catch (error) {
    if (failureOf(error) === 'conflict') return false
    throw error
  }
}
