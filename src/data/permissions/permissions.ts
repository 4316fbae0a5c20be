/** Who may do what: the one rule, and the checks that every way to a namespace, tag or value passes (S 2). */
import { ServiceError } from '../../errors.ts'
import { findPath, lineageOf, namespaceOf, readPath, type Path, type Username } from '../../paths.ts'
import { idText, type ObjectId } from '../database/ids.ts'
import { list, raw, sql, type Sql } from '../database/sql.ts'
import { allFor, lockOf, type Caller, type ReadTx, type WriteTx } from '../store/store.ts'
import { ID_TAG, LAST_SYSTEM_TAG_ID, SYSTEM_TAGS, type SystemTag } from '../store/tables.ts'

/** The actions of each category, in the specification's words (S 2). */
export const ACTIONS = {
  namespaces: ['create', 'update', 'delete', 'list', 'control'],
  tags: ['update', 'delete', 'control'],
  'tag-values': ['write', 'read', 'delete', 'control'],
} as const

export type Category = keyof typeof ACTIONS
export type Action<C extends Category = Category> = (typeof ACTIONS)[C][number]
export type Permission = { [C in Category]: `${C}.${Action<C>}` }[Category]

/** How a permission is stored: a number in exceptions, and the bit of that number in `open_actions`. */
export const CODES: Readonly<Record<Permission, number>> = {
  'namespaces.create': 0,
  'namespaces.update': 1,
  'namespaces.delete': 2,
  'namespaces.list': 3,
  'namespaces.control': 4,
  'tags.update': 5,
  'tags.delete': 6,
  'tags.control': 7,
  'tag-values.write': 8,
  'tag-values.read': 9,
  'tag-values.delete': 10,
  'tag-values.control': 11,
}

/** All that the anonymous user can ever be allowed. */
const FOR_ANYBODY: ReadonlySet<Permission> = new Set<Permission>(['namespaces.list', 'tag-values.read'])

/** What nobody, the superuser included, may do with a system tag. */
const NEVER_ON_SYSTEM_TAGS: ReadonlySet<Permission> = new Set<Permission>([
  'tags.delete',
  'tag-values.write',
  'tag-values.delete',
])

/** Top-level namespaces come and go with their users only. */
const NEVER_AT_THE_TOP: ReadonlySet<Permission> = new Set<Permission>(['namespaces.delete'])

declare const permitted: unique symbol

/** A namespace or tag on which the caller has the permission `P`. Only this module makes one. */
export interface Permitted<P extends Permission> {
  readonly [permitted]: P
  readonly id: number
  readonly path: Path
  readonly objectId: ObjectId
  /** Of tags: whether the words of values are kept. */
  readonly indexed: boolean
  /** Of tags: no fewer than its values. */
  readonly valueBound: number
}

/** Every tag on which the caller has the permission `P`, without naming them (`tag=*`). */
export interface EveryPermitted<P extends Permission> {
  readonly [permitted]: P
  /** Restricts rows of `tags`, aliased `t`, to those tags. */
  readonly restriction: Sql
}

/**
 * SQL that is true where the caller has `permission` on the row of `namespaces` or `tags` aliased `alias`.
 * This is the rule: open and no exception, or closed and an exception; the superuser always, the anonymous
 * user only LIST and READ, nobody what the service alone does (S 2).
 */
function allowed({ caller }: ReadTx, permission: Permission, alias: 'n' | 't'): Sql {
  const target = raw(alias)
  const possible = NEVER_ON_SYSTEM_TAGS.has(permission)
    ? sql`${target}.id > ${LAST_SYSTEM_TAG_ID}`
    : raw(NEVER_AT_THE_TOP.has(permission) ? 'n.parent_id <> 0' : '1 = 1')
  if (caller.role === 'superuser') return possible
  if (isForbidden(caller, permission)) return raw('1 = 0')
  const code = CODES[permission]
  return sql`${possible} AND ((${target}.open_actions >> ${code}) & 1) <> EXISTS (
    SELECT 1 FROM permission_exceptions e
    WHERE e.target_id = ${target}.id AND e.permission = ${code} AND e.user_id = ${caller.userId})`
}

const isForbidden = (caller: Caller, permission: Permission): boolean =>
  caller.role === 'anonymous' && !FOR_ANYBODY.has(permission)

/** The error of a caller who lacks `permission` on the namespace or tag at `path`. */
export function denied(permission: Permission, path: string): ServiceError {
  const [category = '', action = ''] = permission.split('.')
  return new ServiceError('TPathPermissionDenied', { category, action, path })
}

/** What the anonymous user can never do is refused before anything is said about what exists. */
export function refuseForbidden(tx: ReadTx, permission: Permission, path: string): void {
  if (isForbidden(tx.caller, permission)) throw denied(permission, path)
}

interface TargetRow {
  readonly id: number
  readonly path: Buffer
  readonly object_id: Buffer
  readonly indexed?: number
  readonly value_bound?: number
  readonly allowed: number
}

function granted<P extends Permission>(row: TargetRow): Permitted<P> {
  const target = { id: row.id, path: row.path.toString() as Path, objectId: idText(row.object_id) }
  return { ...target, indexed: row.indexed === 1, valueBound: row.value_bound ?? 0 } as Permitted<P>
}

/** The namespace at `path`, for `action`. Throws `TNonexistentNamespace`, then `TPathPermissionDenied`. */
export async function permitNamespace<A extends Action<'namespaces'>>(
  tx: ReadTx,
  action: A,
  path: string,
): Promise<Permitted<`namespaces.${A}`>> {
  const permission: Permission = `namespaces.${action}`
  refuseForbidden(tx, permission, path)
  const row = await tx.one<TargetRow>(sql`
    SELECT n.id, n.path, n.object_id, ${allowed(tx, permission, 'n')} AS allowed
    FROM namespaces n WHERE n.path = ${findPath(path, 1) ?? null} ${lockOf(tx)}`)
  if (row === undefined) throw new ServiceError('TNonexistentNamespace', { path })
  if (row.allowed !== 1) throw denied(permission, path)
  return granted(row)
}

/** The tag at `path`, for `action` on the tag itself. Throws `TNonexistentTag`, then `TPathPermissionDenied`. */
export async function permitTag<A extends Action<'tags'>>(
  tx: ReadTx,
  action: A,
  path: string,
): Promise<Permitted<`tags.${A}`>> {
  const permission: Permission = `tags.${action}`
  refuseForbidden(tx, permission, path)
  const row = (await tagRows(tx, permission, [path], lockOf(tx))).get(path)
  if (row === undefined) throw new ServiceError('TNonexistentTag', { path })
  if (row.allowed !== 1) throw denied(permission, path)
  return granted(row)
}

/** The tag at `path`, for `action` on its values; errors as for `permitTagValues`. */
export async function permitTagValue<A extends Action<'tag-values'>>(
  tx: ReadTx,
  action: A,
  path: string,
): Promise<Permitted<`tag-values.${A}`>> {
  const [tag] = await permitTagValues(tx, action, [path])
  if (tag === undefined) throw new ServiceError('TNonexistentTag', { path })
  return tag
}

/**
 * The tags at `paths`, in their order, for `action` on their values. Throws `TNonexistentTag` for the first that
 * does not exist; if all do, `TPathPermissionDenied` for the first that the caller may not use so.
 */
export async function permitTagValues<A extends Action<'tag-values'>>(
  tx: ReadTx,
  action: A,
  paths: readonly string[],
): Promise<Permitted<`tag-values.${A}`>[]> {
  const found = await findTagValues(tx, action, paths)
  return paths.map((path) => {
    const tag = found.get(path)
    if (tag === undefined) throw new ServiceError('TNonexistentTag', { path })
    return tag
  })
}

/** SQL that is true for the row of `tags`, aliased `t`, of the tag at `path` if the caller has `permission` on it. */
export const isPermitted = (tx: ReadTx, permission: Permission, path: string): Sql =>
  sql`t.path = ${findPath(path, 2) ?? null} AND ${allowed(tx, permission, 't')}`

/** Throws `TNonexistentTag` for the first of `paths` that is no tag: where that is to be told before anything else. */
export async function requireTags(tx: ReadTx, paths: readonly string[]): Promise<void> {
  const rows = await tagRows(tx, 'tag-values.read', paths)
  const missing = paths.find((path) => !rows.has(path))
  if (missing !== undefined) throw new ServiceError('TNonexistentTag', { path: missing })
}

/**
 * Like `permitTagValues`, by path, but tags that do not exist are left out: for writers, who may create them.
 */
export async function findTagValues<A extends Action<'tag-values'>>(
  tx: ReadTx,
  action: A,
  paths: readonly string[],
): Promise<Map<string, Permitted<`tag-values.${A}`>>> {
  const permission: Permission = `tag-values.${action}`
  for (const path of paths) refuseForbidden(tx, permission, path)
  const rows = await tagRows(tx, permission, paths)
  const required = action === 'write' ? [] : paths
  const missing = required.find((path) => !rows.has(path))
  if (missing !== undefined) throw new ServiceError('TNonexistentTag', { path: missing })
  const refused = paths.find((path) => rows.has(path) && rows.get(path)?.allowed !== 1)
  if (refused !== undefined) throw denied(permission, refused)
  return new Map(
    paths.flatMap((path) => {
      const row = rows.get(path)
      return row === undefined ? [] : [[path, granted(row)]]
    }),
  )
}

/** The tags at `paths` as the caller sent them; the virtual `service/id` is one that can be read and no more. */
async function tagRows(
  tx: ReadTx,
  permission: Permission,
  paths: readonly string[],
  lock: Sql = raw(''),
): Promise<Map<string, TargetRow>> {
  const wanted = new Map(paths.map((path) => [path, findPath(path, 2)]))
  const wellFormed = new Set([...wanted.values()].filter((path) => path !== undefined))
  const rows = await allFor<TargetRow, Path>(
    tx,
    [...wellFormed],
    (some) => sql`
      SELECT t.id, t.path, t.object_id, t.indexed, t.value_bound, ${allowed(tx, permission, 't')} AS allowed
      FROM tags t WHERE t.path IN (${list(some)}) ${lock}`,
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

/** Every tag whose values the caller may read or delete, for `tag=*`. Throws for the anonymous user's deletes. */
export function permitEveryTagValue<A extends 'read' | 'delete'>(
  tx: ReadTx,
  action: A,
): EveryPermitted<`tag-values.${A}`> {
  const permission: Permission = `tag-values.${action}`
  refuseForbidden(tx, permission, '*')
  return { restriction: allowed(tx, permission, 't') } as EveryPermitted<`tag-values.${A}`>
}

/** A system tag for the service itself to write, in its own name. */
export function permitSystemTag(tag: SystemTag): Permitted<'tag-values.write'> {
  const { id, path } = SYSTEM_TAGS[tag]
  return { id, path, indexed: true } as Permitted<'tag-values.write'>
}

/**
 * The nearest existing namespace among `parent`, as it was sent, and what stands above it: whoever may create there
 * may create all that is missing in between. Throws `missing` when not even the top-level namespace exists (or
 * `TInvalidPath` when none can), `TPathPermissionDenied` naming the namespace when that refuses CREATE.
 */
export async function permitCreation(
  tx: WriteTx,
  parent: string,
  missing: ServiceError,
): Promise<Permitted<'namespaces.create'>> {
  refuseForbidden(tx, 'namespaces.create', parent)
  const row = await tx.one<TargetRow>(sql`
    SELECT n.id, n.path, n.object_id, ${allowed(tx, 'namespaces.create', 'n')} AS allowed
    FROM namespaces n WHERE n.path IN (${list(lineageOf(parent))}) ORDER BY length(n.path) DESC LIMIT 1 ${tx.forUpdate}`)
  if (row === undefined) {
    readPath(parent, 1)
    throw missing
  }
  if (row.allowed !== 1) throw denied('namespaces.create', row.path.toString())
  return granted(row)
}

/** Administration of users: for superusers, and where `self` says so for the user themselves (S 4.6). */
export function permitUser(
  caller: Caller,
  action: 'create' | 'update' | 'delete',
  username: string,
  self = false,
): void {
  if (caller.role === 'superuser') return
  if (self && caller.role === 'user' && caller.username === username) return
  throw new ServiceError('TPathPermissionDenied', { category: 'users', action, path: username })
}

/** The namespaces that come and go with a user, the inner one first, for deleting that user. */
export async function permitNamespacesOf(
  tx: WriteTx,
  username: Username,
): Promise<Permitted<'namespaces.delete'>[]> {
  permitUser(tx.caller, 'delete', username)
  const path = namespaceOf(username)
  const rows = await tx.all<TargetRow>(sql`
    SELECT n.id, n.path, n.object_id, 1 AS allowed FROM namespaces n
    WHERE n.path IN (${list([path, `${path}/private`])}) ORDER BY n.path DESC ${tx.forUpdate}`)
  return rows.map((row) => granted(row))
}

/** Whether an exceptions list of `permission` may name the anonymous user. */
export const anonymousMay = (permission: Permission): boolean => FOR_ANYBODY.has(permission)
