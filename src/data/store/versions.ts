/**
 * What a version can do with a store, by the names of the migrations that the store has
 * (docs/decisions/0147-versions-and-stores.md).
 *
 * A name is a number, what the migration does, and the version that brought it: `0002-add-marks-0.3.0`. It has `add` behind
 * its number if it only adds what older versions do not need, such as a table, an index, or a column with a default.
 */
import { MIGRATIONS } from './migrations/index.ts'

/** The names of all migrations, in their order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS)
/** The last migration: the name of the schema that this version works on. */
export const SCHEMA = MIGRATION_NAMES.at(-1) ?? ''

/** Whether older versions can work on the schema that a migration makes. */
export const onlyAdds = (name: string): boolean => /^\d+-add-/.test(name)

/**
 * Behind the name of a migration that does more than add, in a row that is written before its first change. On MySQL, an
 * interrupted migration leaves its changes, and no older version may use the store.
 */
export const BEGUN = ' begun'

/**
 * What a store is to a version:
 * - `new`: it has no tables yet. The version can migrate it.
 * - `older`: the version can migrate it and back it up.
 * - `begun`: a migration was begun and has not ended. The version can migrate it.
 * - `fits`: the version can serve it, back it up and check it. A later version may have added to it.
 * - `newer`: a later version has changed it. The version can do nothing with it.
 */
export type Relation = 'new' | 'older' | 'begun' | 'fits' | 'newer'

/** A store, as a version sees it. */
export interface Fit {
  readonly relation: Relation
  /** The last migration of the version that the store has had; empty if none. A backup by this version says it. */
  readonly schema: string
  /** The migrations of the version that the store lacks. */
  readonly pending: readonly string[]
  /** The migrations of the store that the version does not know. */
  readonly later: readonly string[]
  /** Why the version cannot serve the store as it is; undefined if it can. */
  readonly obstacle: string | undefined
}

/** Judges a store by the names in its table of migrations; `known` are the migrations of the version. */
export function fitOf(rows: readonly string[], known: readonly string[] = MIGRATION_NAMES): Fit {
  const done = rows.filter((name) => !name.endsWith(BEGUN))
  const names = new Set(rows.map((name) => name.replace(BEGUN, '')))
  const later = [...names].filter((name) => !known.includes(name)).sort()
  const pending = known.filter((name) => !done.includes(name))
  const schema = known.filter((name) => done.includes(name)).at(-1) ?? ''
  const fit = (relation: Relation, obstacle?: string): Fit => ({ relation, schema, pending, later, obstacle })

  const changed = later.filter((name) => !onlyAdds(name))
  const begun = pending.find((name) => names.has(name))
  if (changed.length > 0) return fit('newer', newerThan(changed))
  if (rows.length === 0) return fit('new', 'there is none yet')
  if (begun !== undefined) return fit('begun', `between two versions: ${begun} was begun and has not ended`)
  return pending.length === 0
    ? fit('fits')
    : fit('older', `older than this version: it lacks ${pending.join(', ')}`)
}

/** Describes a store with migrations that this version does not know, and the version that it needs. */
function newerThan(changed: readonly string[]): string {
  const version = /-(\d+\.\d+\.\d+)$/.exec(changed.at(-1) ?? '')?.[1]
  const needed = version === undefined ? '' : `; it needs Gloss ${version} or later`
  return `newer than this version, which does not know ${changed.join(', ')}${needed}`
}

/** What the programs that maintain a store do with it. */
export type Use = 'back up' | 'check'

/** Why a version cannot use a store so, with the remedy; undefined if it can. */
export function refusal(use: Use, { relation, obstacle = '' }: Fit): string | undefined {
  if (relation === 'fits' || (relation === 'older' && use === 'back up')) return undefined
  if (relation === 'new') return 'the store has no schema yet: run gloss migrate first'
  const remedy = relation === 'newer' ? 'run the version that made it' : 'run gloss migrate first'
  return `the schema of the store is ${obstacle}: ${remedy}`
}
