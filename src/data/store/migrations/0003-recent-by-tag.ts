/**
 * Gives `tag_values_by_user` the tag as its second column, for the newest values of each tag; see newest-by-users.ts. Its
 * entries stay as long as they were, since they end in the key of the row, which has the tag.
 */
import type { Knex } from 'knex'
import { isSqlite } from '../../database/knex-config.ts'

const INDEX = 'tag_values_by_user'

export const up = (knex: Knex): Promise<void> => replaceIndex(knex, 'user_id, tag_id, updated_at')

export const down = (knex: Knex): Promise<void> => replaceIndex(knex, 'user_id, updated_at')

async function replaceIndex(knex: Knex, columns: string): Promise<void> {
  if (isSqlite(knex)) {
    await knex.raw(`DROP INDEX IF EXISTS ${INDEX}`)
    await knex.raw(`CREATE INDEX ${INDEX} ON tag_values (${columns})`)
  } else {
    // One statement: it leaves either the old index or the new one behind, and can run again.
    await knex.raw(`ALTER TABLE tag_values DROP INDEX ${INDEX}, ADD INDEX ${INDEX} (${columns})`)
  }
}
