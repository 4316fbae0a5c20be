/** The checks on every access to a namespace: each reads the permission and makes the right. */
import { ServiceError } from '../../model/errors.ts'
import { findPath, lineageOf, readPath, type Path } from '../../model/paths.ts'
import { allFor } from '../database/connection/connection.ts'
import type { ObjectId } from '../database/ids/ids.ts'
import { list, sql } from '../database/connection/sql.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { granted, type EveryPermitted, type Permitted, type TargetRow } from './rights.ts'
import {
  allowed,
  denied,
  nonexistentNamespace,
  refuseForbidden,
  type Action,
  type Permission,
} from './rule.ts'

/** The namespace at `path`, for `action`. Throws `TNonexistentNamespace`, then `TPathPermissionDenied`. */
export async function permitNamespace<A extends Action<'namespaces'>, V>(
  tx: ReadTx<V>,
  action: A,
  path: string,
): Promise<Permitted<`namespaces.${A}`, V>> {
  const permission: Permission = `namespaces.${action}`
  refuseForbidden(tx, permission, path)
  const row = await tx.one<TargetRow>(sql`
    SELECT n.id, n.path, n.object_id, ${allowed(tx.caller, permission, 'n')} AS allowed
    FROM namespaces n WHERE n.path = ${findPath(path, 1) ?? null} ${tx.lock}`)
  if (row === undefined) throw nonexistentNamespace(path)
  if (row.allowed !== 1) throw denied(permission, path)
  return granted(row)
}

/**
 * Throws `TNonexistentNamespace` for the first of `paths` without a namespace, where this precedes any permission check. Locks them in
 * the order of those who create something in them.
 */
export async function requireNamespaces<V>(tx: ReadTx<V>, paths: readonly string[]): Promise<void> {
  const wanted = paths.map((path) => findPath(path, 1))
  const rows = await tx.all<{ path: Buffer }>(sql`
    SELECT n.path FROM namespaces n
    WHERE n.path IN (${list(wanted.filter((path) => path !== undefined))}) ORDER BY n.path ${tx.lock}`)
  const found = new Set(rows.map(({ path }) => path.toString()))
  const missing = paths.find((_path, i) => !found.has(wanted[i] ?? ''))
  if (missing !== undefined) throw nonexistentNamespace(missing)
}

/** The namespace at `path`, which exists, if the caller may list it. */
export async function mayList<V>(
  tx: ReadTx<V>,
  path: string,
): Promise<Permitted<'namespaces.list', V> | undefined> {
  try {
    return await permitNamespace(tx, 'list', path)
  } catch (error) {
    if (error instanceof ServiceError && error.errorClass === 'TPathPermissionDenied') return undefined
    throw error
  }
}

/**
 * Returns the nearest existing namespace among `parent`, as sent, and its ancestors: a caller who may create there may
 * create all missing namespaces in between. Throws `missing` if not even the top-level namespace exists (or `TInvalidPath`
 * if it cannot exist), and `TPathPermissionDenied`, naming the namespace, if that refuses CREATE.
 */
export type CreationPermit<V> = (
  parent: string,
  missing: () => ServiceError,
) => Permitted<'namespaces.create', V>

/** Reads the permissions for creation in any of `parents`, as sent. */
export async function permitCreationIn<V>(
  tx: WriteTx<V>,
  parents: readonly string[],
): Promise<CreationPermit<V>> {
  for (const parent of parents) refuseForbidden(tx, 'namespaces.create', parent)
  const lineages = new Map(parents.map((parent) => [parent, lineageOf(parent)]))
  const rows = await allFor([...new Set([...lineages.values()].flat())].sort(), (some) =>
    tx.all<TargetRow>(sql`
      SELECT n.id, n.path, n.object_id, ${allowed(tx.caller, 'namespaces.create', 'n')} AS allowed
      FROM namespaces n WHERE n.path IN (${list(some)}) ${tx.lock}`),
  )
  const byPath = new Map(rows.map((row) => [row.path.toString(), row]))
  return (parent, missing) => {
    const nearest = lineages.get(parent)?.find((path) => byPath.has(path))
    if (nearest === undefined) {
      readPath(parent, 1)
      throw missing()
    }
    const row = byPath.get(nearest) as TargetRow
    if (row.allowed !== 1) throw denied('namespaces.create', nearest)
    return granted(row)
  }
}

/** A tag that was just made. */
interface MadeTag {
  readonly id: number
  readonly path: Path
  readonly objectId: ObjectId
  readonly indexed: boolean
}

/**
 * The right to write the values of a tag that was just made by the right to create it. The tag has inherited its policy for
 * WRITE from there (`inheritedPolicies`), and no other transaction can change that before this view commits.
 */
export const permitNewTag = <V>(
  _right: Permitted<'namespaces.create', V>,
  tag: MadeTag,
): Permitted<'tag-values.write', V> => ({ ...tag, valueBound: 0 }) as Permitted<'tag-values.write', V>

/** Every namespace that the caller may list. */
export const permitEveryNamespace = <V>(tx: ReadTx<V>) =>
  ({
    permission: 'namespaces.list',
    restriction: allowed(tx.caller, 'namespaces.list', 'n'),
  }) as EveryPermitted<'namespaces.list', V>
