/**
 * Rights: proofs that a caller may do something. Only this folder makes them, and each is valid only in the view it was
 * read in.
 */
import type { Path } from '../../model/paths.ts'
import type { Sql } from '../database/connection/sql.ts'
import { idText, type ObjectId } from '../database/ids/ids.ts'
import type { Permission } from './rule.ts'

declare const right: unique symbol

/**
 * The right to `R` in the view `V`. A function that demands one cannot be called without the check, nor with a right of
 * another caller, to something else, or from an earlier view: none of these compile.
 */
export interface Right<R extends string, V> {
  readonly [right]: { readonly to: (permission: R) => R; readonly in: (view: V) => V }
}

/** A namespace or tag on which the caller has the permission `P`. */
export interface Permitted<P extends Permission, V> extends Right<P, V> {
  readonly id: number
  readonly path: Path
  readonly objectId: ObjectId
  /** For tags: whether the words of its values are indexed. */
  readonly indexed: boolean
  /** For tags: an upper bound on the number of its values. */
  readonly valueBound: number
}

/** Tags on which the caller has the permission `P`, by their paths as the caller sent them. */
export type PermittedTags<P extends Permission, V> = ReadonlyMap<string, Permitted<P, V>>

/** Every tag or namespace on which the caller has the permission `P`, without naming them (`tag=*`). */
export interface EveryPermitted<P extends Permission, V> extends Right<P, V> {
  readonly permission: P
  /** Restricts rows of `tags`, aliased `t`, or of `namespaces`, aliased `n`, to those. */
  readonly restriction: Sql
}

/** A row of `namespaces` or `tags`, and whether the caller has the requested permission. */
export interface TargetRow {
  readonly id: number
  readonly path: Buffer
  readonly object_id: Buffer
  readonly indexed?: number
  readonly value_bound?: number
  readonly allowed: number
}

/** The namespace or tag of a row for which the permission was granted. */
export function granted<P extends Permission, V>(row: TargetRow): Permitted<P, V> {
  const target = { id: row.id, path: row.path.toString() as Path, objectId: idText(row.object_id) }
  return { ...target, indexed: row.indexed === 1, valueBound: row.value_bound ?? 0 } as Permitted<P, V>
}
