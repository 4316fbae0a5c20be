/** All migrations. A released one never changes. */
import type { Knex } from 'knex'
import * as initial from './0001-initial.ts'

export interface Migration extends Knex.Migration {
  readonly about: {
    /** What it does, as a sentence for operators. */
    readonly does: string
    /** How long it took on a store of which size, as a sentence; measured. */
    readonly took: string
  }
}

/** Migrations by name, in their order. `versions.ts` says how they are named. */
export type Migrations = Readonly<Record<string, Migration>>

export const MIGRATIONS: Migrations = { '0001-initial': initial }
