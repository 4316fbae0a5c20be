/** Gives namespaces, tags and users a column to change when somebody relies on them; see touching.ts. */
import type { Knex } from 'knex'

const TABLES = ['namespaces', 'tags', 'users']
const COLUMN = 'touched'

export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    // On MySQL, schema changes cannot be rolled back: an interrupted migration leaves some of the columns behind.
    if (await knex.schema.hasColumn(table, COLUMN)) continue
    await knex.schema.raw(`ALTER TABLE ${table} ADD COLUMN ${COLUMN} TINYINT NOT NULL DEFAULT 0`)
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.schema.raw(`ALTER TABLE ${table} DROP COLUMN ${COLUMN}`)
}
