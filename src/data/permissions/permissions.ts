/** The checks on every access to a tag or a value: each reads the permission and makes the right. */
import { ServiceError } from '../../model/errors.ts'
import { findPath } from '../../model/paths.ts'
import { mapYielding } from '../../scheduling/yielding.ts'
import { list, raw, sql, type Sql } from '../database/connection/sql.ts'
import { ID_TAG } from '../store/tables.ts'
import { allFor } from '../database/connection/connection.ts'
import type { Caller, ReadTx, WriteTx } from '../store/views.ts'
import { hold } from './held-rights.ts'
import { granted, type EveryPermitted, type Permitted, type PermittedTags, type TargetRow } from './rights.ts'
import { allowed, denied, nonexistentTag, refuseForbidden, type Action, type Permission } from './rule.ts'

/** The tag at `path`, for `action` on the tag itself. Throws `TNonexistentTag`, then `TPathPermissionDenied`. */
export async function permitTag<A extends Action<'tags'>, V>(
  tx: ReadTx<V>,
  action: A,
  path: string,
): Promise<Permitted<`tags.${A}`, V>> {
  const permission = `tags.${action}` as const
  refuseForbidden(tx, permission, path)
  const rows = await tagRows(tx, permission, [path], tx.lock)
  return grantedTag(requireRows(rows, [path]), permission, path)
}

/** The tag at `path`, for `action` on its values; errors as for `permitTagValues`. */
export async function permitTagValue<A extends Action<'tag-values'>, V>(
  tx: ReadTx<V>,
  action: A,
  path: string,
): Promise<Permitted<`tag-values.${A}`, V>> {
  const tags = await permitTagValues(tx, action, [path])
  return tagAt(tags, path)
}

/** Whether the caller may read the values of the tag at `path`, which exists. */
export async function mayRead<V>(tx: ReadTx<V>, path: string): Promise<boolean> {
  try {
    await permitTagValue(tx, 'read', path)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.errorClass === 'TPathPermissionDenied') return false
    throw error
  }
}

/**
 * The tags at `paths`, for `action` on their values. Throws `TNonexistentTag` for the first that does not exist; if all
 * exist, `TPathPermissionDenied` for the first on which the caller lacks the permission.
 */
export async function permitTagValues<A extends Action<'tag-values'>, V>(
  tx: ReadTx<V>,
  action: A,
  paths: readonly string[],
): Promise<PermittedTags<`tag-values.${A}`, V>> {
  const permission = `tag-values.${action}` as const
  for (const path of paths) refuseForbidden(tx, permission, path)
  const rows = await tagRows(tx, permission, paths, lockFor(tx, permission))
  return grantTagValues(tx, requireRows(rows, paths), permission, paths)
}

/** Rows are locked only for CONTROL: it is seldom used, and its holder may give it up in the same transaction. */
const lockFor = <V>(tx: ReadTx<V>, permission: Permission): Sql =>
  permission === 'tag-values.control' ? tx.lock : raw('')

/** Like `permitTagValues` for WRITE, but leaves out tags that do not exist: for writers, who may create them. */
export async function findWritableTags<V>(
  tx: WriteTx<V>,
  paths: readonly string[],
): Promise<PermittedTags<'tag-values.write', V>> {
  for (const path of paths) refuseForbidden(tx, 'tag-values.write', path)
  const rows = await tagRows(tx, 'tag-values.write', paths)
  return grantTagValues(
    tx,
    rows,
    'tag-values.write',
    paths.filter((path) => rows.has(path)),
  )
}

/** Throws `TNonexistentTag` for the first of `paths` without a tag, where this precedes any permission check. */
export async function requireTags<V>(tx: ReadTx<V>, paths: readonly string[]): Promise<void> {
  requireRows(await tagRows(tx, 'tag-values.read', paths), paths)
}

/** The tags at `paths` whose values the caller may read; for each other path, the error of `permitTagValues`. */
export async function findReadableTags<V>(
  tx: ReadTx<V>,
  paths: readonly string[],
): Promise<{ tags: PermittedTags<'tag-values.read', V>; refused: ReadonlyMap<string, ServiceError> }> {
  const rows = await tagRows(tx, 'tag-values.read', paths)
  const readable: string[] = []
  const refused = new Map<string, ServiceError>()
  for (const path of paths) {
    const row = rows.get(path)
    if (row?.allowed === 1) readable.push(path)
    else refused.set(path, row === undefined ? nonexistentTag(path) : denied('tag-values.read', path))
  }
  return { tags: await grantTagValues(tx, rows, 'tag-values.read', readable), refused }
}

/** The tag at one of the requested paths. */
export function tagAt<P extends Permission, V>(tags: PermittedTags<P, V>, path: string): Permitted<P, V> {
  const tag = tags.get(path)
  if (tag === undefined) throw new Error(`nobody asked for the tag ${path}`)
  return tag
}

/** Every tag whose values the caller may read or delete, for `tag=*`. Throws if the anonymous user deletes. */
export function permitEveryTagValue<A extends 'read' | 'delete', V>(
  tx: ReadTx<V>,
  action: A,
): EveryPermitted<`tag-values.${A}`, V> {
  const permission = `tag-values.${action}` as const
  refuseForbidden(tx, permission, '*')
  return { permission, restriction: allowed(tx.caller, permission, 't') } as EveryPermitted<
    `tag-values.${A}`,
    V
  >
}

/** Makes a write check the right to these tags, which passed `restriction`, again when it is about to commit. */
export const holdEvery = <P extends Permission, V>(
  tx: ReadTx<V>,
  { permission }: EveryPermitted<P, V>,
  tagIds: readonly number[],
): void => {
  hold(tx, permission, tagIds)
}

/**
 * SQL that is true for the row of `tags`, aliased `t`, if it is the tag at `path` and the caller has `permission` on
 * it: for statements that read or write a value and check its permission at once.
 */
export const isPermitted = (caller: Caller, permission: Permission, path: string): Sql =>
  sql`t.path = ${findPath(path, 2) ?? null} AND ${allowed(caller, permission, 't')}`

/** The tags at `paths` as the caller sent them, including the virtual `service/id`, which can only be read. */
async function tagRows<V>(
  tx: ReadTx<V>,
  permission: Permission,
  paths: readonly string[],
  lock = raw(''),
): Promise<Map<string, TargetRow>> {
  const wanted = new Map(await mapYielding(paths, (path) => [path, findPath(path, 2)] as const))
  const wellFormed = new Set([...wanted.values()].filter((path) => path !== undefined))
  const rows = await allFor([...wellFormed], (some) =>
    tx.all<TargetRow>(sql`
      SELECT t.id, t.path, t.object_id, t.indexed, t.value_bound, ${allowed(tx.caller, permission, 't')} AS allowed
      FROM tags t WHERE t.path IN (${list(some)}) ${lock}`),
  )
  const byPath = new Map(rows.map((row) => [row.path.toString(), row]))
  if (permission.startsWith('tag-values.')) byPath.set(ID_TAG.path, idTagRow(permission))
  const found = new Map<string, TargetRow>()
  for (const [sent, path] of wanted) {
    const row = path === undefined ? undefined : byPath.get(path)
    if (row !== undefined) found.set(sent, row)
  }
  return found
}

const idTagRow = (permission: Permission): TargetRow => ({
  id: ID_TAG.id,
  path: Buffer.from(ID_TAG.path),
  object_id: Buffer.alloc(16),
  allowed: permission === 'tag-values.read' ? 1 : 0,
})

type Rows = ReadonlyMap<string, TargetRow>

/** Returns the rows if every path has one. Throws `TNonexistentTag` for the first path without one. */
function requireRows(rows: Rows, paths: readonly string[]): Rows {
  const missing = paths.find((path) => !rows.has(path))
  if (missing !== undefined) throw nonexistentTag(missing)
  return rows
}

async function grantTagValues<A extends Action<'tag-values'>, V>(
  tx: ReadTx<V>,
  rows: Rows,
  permission: `tag-values.${A}`,
  paths: readonly string[],
): Promise<PermittedTags<`tag-values.${A}`, V>> {
  const grant = (path: string) => [path, grantedTag<`tag-values.${A}`, V>(rows, permission, path)] as const
  const tags = new Map(await mapYielding(paths, grant))
  const ids = [...tags.values()].map((tag) => tag.id)
  if (permission !== 'tag-values.control') hold(tx, permission, ids)
  return tags
}

function grantedTag<P extends Permission, V>(rows: Rows, permission: P, path: string): Permitted<P, V> {
  const row = rows.get(path)
  if (row?.allowed !== 1) throw denied(permission, path)
  return granted(row)
}
