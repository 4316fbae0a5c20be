/** Whether a store is one that can be checked or backed up. */
import { sql } from '../database/sql.ts'
import { SCHEMA } from '../store/migrate.ts'
import type { Store } from '../store/store.ts'
import { RESTORING } from '../store/tables.ts'
import { UNFINISHED_RESTORE } from '../things/bootstrap.ts'

/** Throws, with what to do, if the schema is not that of this version, or a backup was restored only in part. */
export async function requireKeptStore(store: Store): Promise<void> {
  const row = await store
    .glance<{ name: Buffer | string }>(sql`SELECT name FROM knex_migrations ORDER BY name DESC LIMIT 1`)
    .catch((error: unknown) => {
      if (/no such table|doesn't exist/.test((error as Error).message)) return undefined
      throw error
    })
  const schema = row?.name.toString()
  if (schema !== SCHEMA) {
    throw new Error(
      `the schema of the store is ${schema ?? 'none'}, and this version works on ${SCHEMA}: run npm run migrate first, or the version that fits`,
    )
  }
  const restoring = await store.glance(sql`SELECT kind FROM id_blocks WHERE kind = ${RESTORING}`)
  if (restoring !== undefined) throw new Error(UNFINISHED_RESTORE)
}
