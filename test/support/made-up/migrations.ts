/** Made-up migrations behind the real ones, each as a later version would bring it. */
import type { Knex } from 'knex'
import { MIGRATIONS, type Migration, type Migrations } from '../../../src/data/store/migrations/index.ts'
import * as marks from './0002-add-marks-0.2.1.ts'

const took = 'Made up, so it was never measured.'
const down = (): Promise<void> => Promise.resolve()

/** The first step of another meaning of `kilograms`: versions from here on write both columns, and older ones still work. */
const grams: Migration = {
  about: { does: 'Adds the weights of marks in grams.', took },
  up: async (knex) => {
    if (!(await knex.schema.hasColumn('marks', 'grams'))) {
      await knex.schema.alterTable('marks', (table) => {
        table.integer('grams')
      })
    }
    await fillGrams(knex)
  },
  down,
}

/** The second step: what only older versions have written is taken over, and they cannot use the store any more. */
const onlyGrams: Migration = {
  about: { does: 'Drops the weights of marks in kilograms.', took },
  up: async (knex) => {
    if (!(await knex.schema.hasColumn('marks', 'kilograms'))) return
    await fillGrams(knex)
    await knex.schema.alterTable('marks', (table) => {
      table.dropColumn('kilograms')
    })
  },
  down,
}

async function fillGrams(knex: Knex): Promise<void> {
  await knex('marks')
    .whereNull('grams')
    .update({ grams: knex.raw('kilograms * 1000') })
}

/** Does more than add, and fails after its first change if two marks have the same label. */
const labels: Migration = {
  about: { does: 'Drops the column of marks per user, and lets no two marks have the same label.', took },
  up: async (knex) => {
    if (await knex.schema.hasColumn('users', 'marks')) {
      await knex.schema.alterTable('users', (table) => {
        table.dropColumn('marks')
      })
    }
    await knex.schema.alterTable('marks', (table) => {
      table.unique(['label'], { indexName: 'marks_by_label' })
    })
  },
  down,
}

export const ADDED: Migrations = { ...MIGRATIONS, '0002-add-marks-0.2.1': marks }
export const EXPANDED: Migrations = { ...ADDED, '0003-add-grams-0.3.0': grams }
export const CONTRACTED: Migrations = { ...EXPANDED, '0004-only-grams-0.4.0': onlyGrams }
export const FAILING: Migrations = { ...CONTRACTED, '0005-unique-labels-0.5.0': labels }
