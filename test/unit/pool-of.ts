/** A pool of one connection, on what stands for a database. */
import knexFactory from 'knex'
import type { Execute } from '../../src/data/database/connection/connection.ts'
import { Demotion } from '../../src/data/database/demotion.ts'
import { MYSQL, type Dialect } from '../../src/data/database/connection/dialects.ts'
import { MysqlClient, SqliteClient } from '../../src/data/database/knex-clients.ts'
import { PooledConnection, type Pool } from '../../src/data/database/pool.ts'
import { RawConnection } from '../../src/data/database/raw-connection.ts'

/** `demotion`: what the connection says of its server. */
export function poolOf(
  execute: Execute,
  dialect: Dialect,
  demotion = new Demotion(),
): { readonly pool: Pool; readonly raw: RawConnection } {
  const knex = knexFactory({
    client: dialect === MYSQL ? MysqlClient : SqliteClient,
    useNullAsDefault: true,
  })
  const done = (): Promise<void> => Promise.resolve()
  const raw = new RawConnection(
    { execute, isUsable: true, interrupt: done, close: done },
    dialect.name === 'sqlite',
    demotion,
  )
  const pool: Partial<Pool> = {
    knex,
    acquire: () => Promise.resolve(new PooledConnection(knex, dialect, raw)),
    release: () => undefined,
  }
  return { pool: pool as Pool, raw }
}
