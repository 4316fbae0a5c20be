/**
 * The rule that decides which actions a caller may do with a namespace, a tag or its values, as SQL; and the errors for
 * refused callers.
 */
import { ServiceError, shown } from '../../model/errors.ts'
import { hintForOneName } from '../../model/paths.ts'
import { raw, sql, type Sql } from '../database/connection/sql.ts'
import { LAST_SYSTEM_TAG_ID } from '../store/tables.ts'
import type { Caller } from '../store/views.ts'

/** The actions of each category, in the contract's words. */
interface Actions {
  readonly namespaces: 'create' | 'update' | 'delete' | 'list' | 'control'
  readonly tags: 'update' | 'delete' | 'control'
  readonly 'tag-values': 'write' | 'read' | 'delete' | 'control'
}

export type Category = keyof Actions
export type Action<C extends Category = Category> = Actions[C]
export type Permission = { [C in Category]: `${C}.${Action<C>}` }[Category]

/** The permissions of one category. */
export type PermissionOf<C extends Category> = Extract<Permission, `${C}.${string}`>

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

/** The permissions that the anonymous user can have. */
const FOR_ANYBODY: ReadonlySet<Permission> = new Set<Permission>(['namespaces.list', 'tag-values.read'])

/** The permissions that no user has on a system tag, not even a superuser. */
const NEVER_ON_SYSTEM_TAGS: ReadonlySet<Permission> = new Set<Permission>([
  'tags.delete',
  'tag-values.write',
  'tag-values.delete',
])

/** The service creates and deletes top-level namespaces only with their users. */
const NEVER_AT_THE_TOP: ReadonlySet<Permission> = new Set<Permission>(['namespaces.delete'])

/**
 * SQL that is true if the caller has `permission` on the row of `namespaces` or `tags` aliased `alias`. The rule: the policy
 * is open and the caller is not an exception, or it is closed and the caller is an exception. Superusers always have
 * permission, the anonymous user has at most LIST and READ, and no user may do the actions that are reserved for the
 * service.
 */
export function allowed(caller: Caller, permission: Permission, alias: 'n' | 't'): Sql {
  const target = raw(alias)
  const possible = NEVER_ON_SYSTEM_TAGS.has(permission)
    ? sql`${target}.id > ${LAST_SYSTEM_TAG_ID}`
    : raw(NEVER_AT_THE_TOP.has(permission) ? 'n.parent_id <> 0' : '1 = 1')
  if (caller.role === 'superuser') return possible
  if (isForbidden(caller, permission)) return raw('1 = 0')
  // A literal, not bound: binding a value costs more than a longer text that is prepared once.
  const code = raw(String(CODES[permission]))
  return sql`${possible} AND ((${target}.open_actions >> ${code}) & 1) <> EXISTS (
    SELECT 1 FROM permission_exceptions e
    WHERE e.target_id = ${target}.id AND e.permission = ${code} AND e.user_id = ${caller.userId})`
}

const isForbidden = (caller: Caller, permission: Permission): boolean =>
  caller.role === 'anonymous' && !FOR_ANYBODY.has(permission)

/** Whether an exceptions list of `permission` may name the anonymous user. */
export const anonymousMay = (permission: Permission): boolean => FOR_ANYBODY.has(permission)

/** The error for a caller who lacks `permission` on the namespace or tag at `path`. */
export function denied(permission: Permission, path: string): ServiceError {
  const [category = '', action = ''] = permission.split('.')
  return new ServiceError('TPathPermissionDenied', { category, action, path })
}

/** Refuses actions that the anonymous user can never do, before revealing whether the path exists. */
export function refuseForbidden(
  { caller }: { readonly caller: Caller },
  permission: Permission,
  path: string,
): void {
  if (isForbidden(caller, permission)) throw denied(permission, path)
}

/** The error for a path at which there is no namespace. */
export const nonexistentNamespace = (path: string, hint?: string): ServiceError =>
  new ServiceError('TNonexistentNamespace', { path }, { hint })

/** The error for a path at which there is no tag. */
export const nonexistentTag = (
  path: string,
  hint = path.includes('/') ? undefined : hintForOneName(path),
): ServiceError => new ServiceError('TNonexistentTag', { path }, { hint })

/** The hint for a path at which nothing can be created: top-level namespaces are created with users. */
export const noUserOf = (path: string): string =>
  `there is no user ${shown(path.split('/', 1)[0] ?? '')}, and only users have top-level namespaces`
