/** A made-up migration that only adds: a table, and a column with a default. `npm run rolling -- --upgrade` runs it, too. */
import type { Knex } from 'knex'

export const about = {
  does: 'Adds a table of marks, and a column for how many a user has.',
  took: 'Made up, so it was never measured.',
}

export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasTable('marks'))) {
    await knex.schema.createTable('marks', (table) => {
      table.integer('id').primary()
      table.string('label', 100).notNullable()
      table.integer('kilograms').notNullable()
    })
  }
  if (!(await knex.schema.hasColumn('users', 'marks'))) {
    await knex.schema.alterTable('users', (table) => {
      table.integer('marks').notNullable().defaultTo(0)
    })
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (table) => {
    table.dropColumn('marks')
  })
  await knex.schema.dropTable('marks')
}
