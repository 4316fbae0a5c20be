/** Gives each tag an upper bound on the number of its values; see value-bounds.ts. */
import type { Knex } from 'knex'

const COLUMN = 'value_bound'

export async function up(knex: Knex): Promise<void> {
  // On MySQL, schema changes cannot be rolled back: if the migration was interrupted here, the column already exists.
  if (!(await knex.schema.hasColumn('tags', COLUMN))) {
    await knex.schema.raw(`ALTER TABLE tags ADD COLUMN ${COLUMN} BIGINT NOT NULL DEFAULT 0`)
  }
  await knex.raw(`UPDATE tags SET ${COLUMN} = (SELECT COUNT(*) FROM tag_values v WHERE v.tag_id = tags.id)`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.raw(`ALTER TABLE tags DROP COLUMN ${COLUMN}`)
}
