/** Pools of connections, which Knex keeps. */
import knexFactory, { type Knex } from 'knex'
import { Connection, type Purpose } from './connection/connection.ts'
import { MYSQL, SQLITE, type Dialect } from './connection/dialects.ts'
import { knexConfig, type PoolsOptions } from './knex-config.ts'
import { Finder } from './past-knex.ts'
import type { RawConnection } from './raw-connection.ts'
import { notingWait } from '../../scheduling/usage.ts'
import type { Sql } from './connection/sql.ts'
import { waitsFor } from './connection/waits.ts'

/** The connections for one purpose, such as all readers or all writers. */
export interface Pool {
  acquire(): Promise<PooledConnection>
  /** Returns a connection once its transaction has ended. */
  release(connection: PooledConnection): void
  /**
   * The rows of a statement. Runs the statement synchronously; only a pool whose statements run in this thread has this
   * method. The caller need not wait for a connection. Throws the driver's error.
   */
  readonly find?: (statement: Sql) => unknown[]
  readonly knex: Knex
  load(): Load
  /** The most connections that the pool opens. */
  readonly size: number
  /** Waits for pending work for at most `waits.close`, then closes the connections. */
  close(): Promise<void>
}

/** How many places of a kind are taken, and how many requests wait for one. */
export interface Load {
  readonly taken: number
  readonly waiting: number
}

/** Opens a pool; connections are made when they are first needed. */
export function openPool(databaseUrl: string, purpose: Purpose, options?: PoolsOptions): Pool {
  const knex = knexFactory(knexConfig(databaseUrl, purpose, options))
  const client = knex.client as Client
  const waits = options?.waits ?? waitsFor(0)
  const dialect = databaseUrl.startsWith('sqlite:') ? SQLITE : MYSQL
  const acquired = new Set<RawConnection>()
  const own = dialect === SQLITE && purpose === 'lookup' ? new Finder(databaseUrl) : undefined
  let isClosed = false
  return {
    ...(own && { find: (statement: Sql) => own.find(statement) }),
    knex,
    async acquire() {
      if (isClosed) throw Object.assign(new Error('the store is closed'), { code: 'POOL_CLOSED' })
      const raw = await notingWait(() => client.acquireConnection())
      acquired.add(raw)
      return new PooledConnection(knex, dialect, raw)
    },
    release({ raw }) {
      // Callers that have the result of a view do not wait for its end.
      void raw.ended.then(() => {
        if (acquired.delete(raw)) void client.releaseConnection(raw)
      })
    },
    size: client.pool.max,
    load: () => ({ taken: client.pool.numUsed(), waiting: client.pool.numPendingAcquires() }),
    async close() {
      isClosed = true
      const late = setTimeout(() => {
        for (const raw of acquired) void raw.close()
      }, waits.close)
      own?.close()
      await knex.destroy()
      clearTimeout(late)
    },
  }
}

/** The parts of Knex's client that this file uses. */
interface Client {
  acquireConnection(): Promise<RawConnection>
  releaseConnection(connection: RawConnection): Promise<void>
  readonly pool: { readonly max: number; numUsed(): number; numPendingAcquires(): number }
}

/** A connection of a pool, in use by one transaction. */
export class PooledConnection extends Connection {
  readonly raw: RawConnection

  constructor(knex: Knex, dialect: Dialect, raw: RawConnection) {
    super(
      knex,
      dialect,
      (command) => raw.do(command),
      () => raw.interrupt(),
    )
    this.raw = raw
  }
}
