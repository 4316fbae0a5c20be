/** Whether a store can be checked or backed up. */
import { sql, type Sql } from '../database/connection/sql.ts'
import { SCHEMA } from '../store/migrate.ts'
import type { Store } from '../store/store.ts'
import { RESTORING } from '../store/tables.ts'
import { UNFINISHED_RESTORE } from '../entities/bootstrap.ts'

/** Throws, with the remedy, if the schema is not that of this version, or a backup was restored only in part. */
export async function requireKeptStore(store: Store): Promise<void> {
  const row = await firstIn<{ name: Buffer }>(
    store,
    // As octets: the table belongs to Knex, and its names are text.
    sql`SELECT UNHEX(HEX(name)) AS name FROM knex_migrations ORDER BY name DESC LIMIT 1`,
  )
  const schema = row?.name.toString()
  if (schema !== SCHEMA) {
    throw new Error(
      `the schema of the store is ${schema ?? 'none'}, and this version works on ${SCHEMA}: run gloss migrate first, or the version that fits`,
    )
  }
  const restoring = await store.readRow(sql`SELECT kind FROM id_blocks WHERE kind = ${RESTORING}`)
  if (restoring !== undefined) throw new Error(UNFINISHED_RESTORE)
}

/** The first row that a statement returns; undefined also if there is no such table. */
export async function firstIn<Row>(store: Store, statement: Sql): Promise<Row | undefined> {
  try {
    return await store.readRow<Row>(statement)
  } catch (error) {
    if (/no such table|doesn't exist/.test((error as Error).message)) return undefined
    throw error
  }
}
