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
    // Two statements: TiDB refuses to drop and add an index of one name in one. An interrupted migration may have done the first.
    if (await hasIndex(knex)) await knex.raw(`ALTER TABLE tag_values DROP INDEX ${INDEX}`)
    await knex.raw(`ALTER TABLE tag_values ADD INDEX ${INDEX} (${columns})`)
  }
}

async function hasIndex(knex: Knex): Promise<boolean> {
  const [rows] = (await knex.raw(`SHOW INDEX FROM tag_values WHERE Key_name = '${INDEX}'`)) as [unknown[]]
  return rows.length > 0
}
