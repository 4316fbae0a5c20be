/** Gives tags an upper bound of how many values they have; see value-bounds.ts. */
import type { Knex } from 'knex'

const COLUMN = 'value_bound'

export async function up(knex: Knex): Promise<void> {
  // A change of a table is final on MySQL: if this was interrupted here, the column is there already.
  if (!(await knex.schema.hasColumn('tags', COLUMN))) {
    await knex.schema.raw(`ALTER TABLE tags ADD COLUMN ${COLUMN} BIGINT NOT NULL DEFAULT 0`)
  }
  await knex.raw(`UPDATE tags SET ${COLUMN} = (SELECT COUNT(*) FROM tag_values v WHERE v.tag_id = tags.id)`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.raw(`ALTER TABLE tags DROP COLUMN ${COLUMN}`)
}
