/** Whether a store can be checked or backed up. */
import { sql, type Sql } from '../database/connection/sql.ts'
import { UNFINISHED_RESTORE } from '../entities/bootstrap.ts'
import { SERVICE } from '../entities/users.ts'
import type { Store } from '../store/store.ts'
import { RESTORING } from '../store/tables.ts'
import { isWithoutTables } from '../store/store-check.ts'
import { fitOf, refusal, type Fit, type Use } from '../store/versions.ts'

/**
 * What the store is to this version, whose migrations are `known`. Throws, with the remedy, if this version cannot use the
 * store so, or if a backup was restored only in part.
 */
export async function requireKeptStore(store: Store, use: Use, known?: readonly string[]): Promise<Fit> {
  const fit = fitOf(await migrationsOf(store), known)
  const refused = refusal(use, fit)
  if (refused !== undefined) throw new Error(refused)
  const restoring = await store.readRow(sql`SELECT kind FROM id_blocks WHERE kind = ${RESTORING}`)
  if (restoring !== undefined) throw new Error(UNFINISHED_RESTORE)
  return fit
}

/** The names of a store's migrations; none for a database without tables. */
async function migrationsOf(store: Store): Promise<string[]> {
  // As octets: the table belongs to Knex, and its names are text.
  const names = sql`SELECT UNHEX(HEX(name)) AS name FROM knex_migrations ORDER BY name`
  if ((await firstIn(store, names)) === undefined) return []
  const rows = await store.read(SERVICE, (tx) => tx.all<{ name: Buffer }>(names))
  return rows.map(({ name }) => name.toString())
}

/** The first row that a statement returns; undefined also if there is no such table. */
export async function firstIn<Row>(store: Store, statement: Sql): Promise<Row | undefined> {
  try {
    return await store.readRow<Row>(statement)
  } catch (error) {
    if (isWithoutTables(error)) return undefined
    throw error
  }
}
