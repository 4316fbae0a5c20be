/**
 * A store in memory for one request at a time, which it resets after each. The service's own handlers check requests in
 * it, so that the mock refuses the same requests, in the same order and with the same facts.
 */
import knexFactory from 'knex'
import { Connection } from '../src/data/database/connection/connection.ts'
import { SQLITE } from '../src/data/database/connection/dialects.ts'
import { SqliteClient } from '../src/data/database/knex-clients.ts'
import { raw } from '../src/data/database/connection/sql.ts'
import { commandOf, requestOf } from '../src/data/database/threads/thread-messages.ts'
import { configure, executor } from '../src/data/database/sqlite/sqlite.ts'
import type { SqliteDatabase } from '../src/data/database/sqlite/sqlite-file.ts'
import { IdAllocator } from '../src/data/store/id-allocator.ts'
import { migrate } from '../src/data/store/migrate.ts'
import type { Store } from '../src/data/store/store.ts'
import { View, type Ends } from '../src/data/store/views.ts'
import { WritingView } from '../src/data/store/writing-view.ts'
import { bootstrap } from '../src/data/entities/bootstrap.ts'

/** A store with the initial content of every store. */
export interface World {
  readonly store: Store
  /** Waits for its turn, runs work, and rolls all changes of the store back. */
  inPassing<T>(work: () => Promise<T>): Promise<T>
  readonly close: () => Promise<void>
}

/** Opens the store. */
export async function openWorld(): Promise<World> {
  const knex = knexFactory({
    client: 'better-sqlite3',
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
    // A second connection would have a second, empty database.
    pool: { min: 1, max: 1 },
  })
  await migrate(knex)
  const client = knex.client as {
    acquireConnection(): Promise<SqliteDatabase>
    releaseConnection(db: SqliteDatabase): Promise<void>
  }
  const db = await client.acquireConnection()
  const connection = connectionOn(db)
  const store = storeOn(connection)
  await bootstrap(store)
  let last: Promise<unknown> = Promise.resolve()
  const inPassing: World['inPassing'] = (work) => {
    const own = last.then(() => undone(connection, work))
    last = own.catch(() => undefined)
    return own
  }
  const close = async (): Promise<void> => {
    await client.releaseConnection(db)
    await knex.destroy()
  }
  return { store, inPassing, close }
}

/** Creates statements, which run on the connection of the store. */
const statements = knexFactory({ client: SqliteClient, useNullAsDefault: true })

function connectionOn(db: SqliteDatabase): Connection {
  configure(db, 'write')
  const execute = executor(db)
  return new Connection(
    statements,
    SQLITE,
    // The thread of a writer receives commands in another form than the caller sends; this converts them.
    async (command) => execute(commandOf(requestOf(0, command).message)),
    () => Promise.resolve(),
  )
}

async function undone<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.run(raw('BEGIN'))
  try {
    return await work()
  } finally {
    await connection.run(raw('ROLLBACK'))
  }
}

/** The longest delay of `setTimeout`. */
const UNLIMITED_MS = 2 ** 31 - 1

/** A store whose views all use one transaction, which the caller has begun. */
function storeOn(connection: Connection): Store {
  const newIds = new IdAllocator(undefined).on(connection)
  const ends = (): Ends => ({ signal: undefined, timeLeft: { ms: UNLIMITED_MS } })
  const read: Store['read'] = (caller, work) => {
    const view = new View(connection, caller, ends())
    return view.finish(work(view.as()))
  }
  return {
    readRow: (statement) => connection.one(statement),
    read,
    scan: (caller, _signal, work) => read(caller, work),
    look: (caller, _signal, work) => read(caller, work),
    write: (caller, work) => {
      const view = new WritingView(connection, caller, ends(), newIds)
      return view.finish(work(view.as()))
    },
    writeRow: async (statement) => (await connection.run(statement)) === 1,
    migrate: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
