/** Stores used directly, without HTTP, and queries about their tables. */
import { bootstrap } from '../../src/data/entities/bootstrap.ts'
import { sql, type Sql } from '../../src/data/database/connection/sql.ts'
import { permitUserCreation } from '../../src/data/permissions/user-rights.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import type { Caller } from '../../src/data/store/views.ts'
import { findAccount } from '../../src/data/entities/accounts.ts'
import { createUser, readNewUsername, SERVICE } from '../../src/data/entities/users.ts'
import { freshDatabase, PATIENT } from '../support/database.ts'

/** Whether the tests run on SQLite. */
export const onSqlite = (globalThis as { database?: string }).database !== 'mysql'

/** Several stores on one new database, as several processes of the service would open them. */
export interface Opened {
  readonly url: string
  readonly stores: readonly Store[]
  readonly store: Store
  close(): Promise<void>
}

/** Opens `count` stores on a new database; `store` is the first. */
export async function openStores(count = 1): Promise<Opened> {
  const database = await freshDatabase()
  const stores = Array.from({ length: count }, () => createStore(database.url, undefined, PATIENT))
  const [store] = stores
  if (store === undefined) throw new Error('no store was asked for')
  await store.migrate()
  await bootstrap(store)
  const close = async (): Promise<void> => {
    await Promise.all(stores.map((one) => one.close()))
    await database.drop()
  }
  return { url: database.url, stores, store, close }
}

/** Creates a user and returns the caller for their requests. */
export async function callerOf(store: Store, name: string): Promise<Caller> {
  const username = readNewUsername(name)
  await store.write(SERVICE, (tx) =>
    createUser(tx, permitUserCreation(tx, username), username, { passwordHash: 'none' }),
  )
  const account = await findAccount(store, name)
  if (account === undefined) throw new Error(`there is no user ${name}`)
  return account.caller
}

/** Runs a statement as the superuser and returns the rows. */
export const rowsOf = <Row>(store: Store, statement: Sql): Promise<Row[]> =>
  store.read(SERVICE, (tx) => tx.all<Row>(statement))

/** The number in the only column, `n`, of a statement's only row. */
export async function numberOf(store: Store, statement: Sql): Promise<number> {
  const [row] = await rowsOf<{ n: number }>(store, statement)
  if (row === undefined) throw new Error('a statement that counts gave no row')
  return row.n
}

/** The number of namespaces and tags whose parent namespace does not exist. */
export const orphans = (store: Store): Promise<number> =>
  numberOf(
    store,
    sql`SELECT
      (SELECT count(*) FROM namespaces WHERE parent_id <> 0 AND parent_id NOT IN (SELECT id FROM namespaces)) +
      (SELECT count(*) FROM tags WHERE namespace_id NOT IN (SELECT id FROM namespaces)) AS n`,
  )
