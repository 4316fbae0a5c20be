/** Stored policies: new things inherit them, and callers with CONTROL read and replace them. */
import { invalidUsername, ServiceError } from '../../model/errors.ts'
import { findUsername, type Username } from '../../model/paths.ts'
import { runYielding } from '../../scheduling/yielding.ts'
import { raw, sql, type RowOf } from '../database/connection/sql.ts'
import { PERMISSION_EXCEPTIONS } from '../store/tables.ts'
import { touch } from '../store/touching.ts'
import { allFor } from '../database/connection/connection.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import type { Permitted } from './rights.ts'
import { anonymousMay, CODES, type Category, type Permission, type PermissionOf } from './rule.ts'

/** The policy of one action on one namespace or tag: open or closed, except for the users in `exceptions`. */
export interface Policy {
  readonly policy: 'open' | 'closed'
  readonly exceptions: readonly number[]
}

/** The policies of all actions of a namespace or tag. */
export type Policies = Partial<Readonly<Record<Permission, Policy>>>

/** For each policy of a new namespace or tag, the policy of the parent namespace that it inherits. */
const INHERITED: Readonly<Record<Governed, Partial<Readonly<Record<Permission, Permission>>>>> = {
  namespaces: {
    'namespaces.create': 'namespaces.create',
    'namespaces.update': 'namespaces.update',
    'namespaces.delete': 'namespaces.delete',
    'namespaces.list': 'namespaces.list',
    'namespaces.control': 'namespaces.control',
  },
  tags: {
    'tags.update': 'namespaces.create',
    'tags.delete': 'namespaces.create',
    'tags.control': 'namespaces.control',
    'tag-values.write': 'namespaces.create',
    'tag-values.read': 'namespaces.list',
    'tag-values.delete': 'namespaces.create',
    'tag-values.control': 'namespaces.control',
  },
}

/** The tables of things that have policies. */
type Governed = 'namespaces' | 'tags'

/** The numbers of these permissions, as they are stored. */
const codesOf = (table: Governed): number[] => ownPermissions(table).map((permission) => CODES[permission])

const ownPermissions = (table: Governed): Permission[] => Object.keys(INHERITED[table]) as Permission[]

/** The initial policies of a namespace or tag created in a namespace with the policies `parent`. */
export function inheritedPolicies(table: Governed, parent: Policies): Policies {
  const entries = Object.entries(INHERITED[table]).map(([own, source]) => [own, parent[source]])
  return Object.fromEntries(entries) as Policies
}

/** The policies of the namespaces with these ids, by id. */
export async function namespacePolicies<V>(
  tx: ReadTx<V>,
  ids: readonly number[],
): Promise<Map<number, Policies>> {
  const targets = await allFor(ids, (some) =>
    tx.table('namespaces').whereIn('id', some).select('id', 'open_actions'),
  )
  const rows = await allFor(ids, (some) =>
    tx
      .table('permission_exceptions')
      .whereIn('target_id', some)
      .whereIn('permission', codesOf('namespaces'))
      .select('target_id', 'permission', 'user_id'),
  )
  const exceptions = Map.groupBy(rows, (row) => row.target_id)
  return new Map(
    targets.map(({ id, open_actions: open }) => [
      id,
      storedPolicies('namespaces', open, exceptions.get(id) ?? []),
    ]),
  )
}

export type ExceptionRow = RowOf<typeof PERMISSION_EXCEPTIONS>

/** The policies of a namespace or tag with these bits of `open_actions`. Other rows of exceptions do not matter. */
export const storedPolicies = (
  table: Governed,
  open: number,
  exceptions: readonly ExceptionRow[],
): Policies =>
  Object.fromEntries(ownPermissions(table).map((action) => [action, policyOf(action, open, exceptions)]))

const policyOf = (permission: Permission, open: number, exceptions: readonly ExceptionRow[]): Policy => ({
  policy: (open >> CODES[permission]) & 1 ? 'open' : 'closed',
  exceptions: exceptions.filter((row) => row.permission === CODES[permission]).map((row) => row.user_id),
})

/** The bits of `open_actions` for these policies. */
export const openActions = (policies: Policies): number =>
  Object.entries(policies).reduce(
    (bits, [permission, { policy }]) => bits | (policy === 'open' ? 1 << CODES[permission as Permission] : 0),
    0,
  )

/** How many exceptions policies have. */
export const exceptionsOf = (policies: Policies): number =>
  Object.values(policies).reduce((sum, { exceptions }) => sum + exceptions.length, 0)

/** Called with the number of exceptions before they are stored; may throw. */
export type NoteExceptions = (exceptions: number) => void

/** Stores the exceptions of policies of new namespaces or tags. */
export async function insertExceptions<V>(
  tx: WriteTx<V>,
  policies: Iterable<readonly [id: number, Policies]>,
): Promise<void> {
  await tx.insert(PERMISSION_EXCEPTIONS, exceptionRows(policies))
}

function* exceptionRows(policies: Iterable<readonly [id: number, Policies]>): Generator<ExceptionRow> {
  for (const [id, own] of policies) {
    for (const [permission, { exceptions }] of Object.entries(own)) {
      const code = CODES[permission as Permission]
      for (const userId of exceptions) yield { target_id: id, permission: code, user_id: userId }
    }
  }
}

const tableOf = (permission: Permission): Governed =>
  permission.startsWith('namespaces.') ? 'namespaces' : 'tags'

/** The policy of one action, with the names of its exceptions sorted. */
export async function readPolicy<C extends Category, V>(
  tx: ReadTx<V>,
  target: Permitted<`${C}.control`, V>,
  permission: PermissionOf<NoInfer<C>>,
): Promise<{ policy: 'open' | 'closed'; exceptions: string[] }> {
  const row = await tx.table(tableOf(permission)).where('id', target.id).first('open_actions')
  const users = await tx
    .table('permission_exceptions')
    .join('users', 'users.id', 'permission_exceptions.user_id')
    .where({ target_id: target.id, permission: CODES[permission] })
    .select<{ username: Buffer }[]>('users.username')
    .orderBy('users.username')
  return {
    policy: policyOf(permission, row?.open_actions ?? 0, []).policy,
    exceptions: users.map((user) => user.username.toString()),
  }
}

/** The user names of an exceptions list as sent, parsed but not looked up. */
export interface SentExceptions {
  /** The first spelling of each name. */
  readonly names: ReadonlyMap<Username, string>
  /** The first name that no user can have. */
  readonly malformed: string | undefined
}

/** Parses an exceptions list. Call it before a transaction begins: a list may be long, and other writers may have to wait. */
export const readExceptions = (names: readonly string[]): Promise<SentExceptions> =>
  runYielding(reading(names))

function* reading(sent: readonly string[]): Generator<undefined, SentExceptions> {
  const names = new Map<Username, string>()
  for (const name of sent) {
    const username = findUsername(name)
    if (username === undefined) return { names, malformed: name }
    if (!names.has(username)) names.set(username, name)
    yield
  }
  return { names, malformed: undefined }
}

/** Replaces the policy of one action. Errors as for `exceptionIds`. */
export async function writePolicy<C extends Category, V>(
  tx: WriteTx<V>,
  target: Permitted<`${C}.control`, V>,
  permission: PermissionOf<NoInfer<C>>,
  { policy, exceptions: sent }: { policy: 'open' | 'closed'; exceptions: SentExceptions },
): Promise<void> {
  const code = CODES[permission]
  const exceptions = await exceptionIds(tx, permission, sent)
  await touch(tx, 'users', exceptions)
  const bits = sql`(open_actions | ${1 << code})${raw(policy === 'open' ? '' : ` - ${String(1 << code)}`)}`
  // The row changes even if the bit stays the same: otherwise, if two nodes of a cluster write lists of exceptions at the
  // same time, both lists would be stored.
  await tx.run(sql`
    UPDATE ${raw(tableOf(permission))} SET open_actions = ${bits}, touched = 1 - touched WHERE id = ${target.id}`)
  await tx.table('permission_exceptions').where({ target_id: target.id, permission: code }).del()
  await insertExceptions(tx, new Map([[target.id, { [permission]: { policy, exceptions } }]]))
}

/**
 * The ids of the users in an exceptions list of `permission`. Throws `TInvalidUsername` for a malformed name, a
 * superuser, or the anonymous user if they can never have the permission; `TNoSuchUser` with status 412.
 */
async function exceptionIds<V>(
  tx: WriteTx<V>,
  permission: Permission,
  { names, malformed }: SentExceptions,
): Promise<number[]> {
  if (malformed !== undefined) throw invalidUsername(malformed)
  const rows = await allFor([...names.keys()], (some) =>
    tx.table('users').whereIn('username', some).select('id', 'username', 'role').forUpdate(),
  )
  const roles = new Map(rows.map((row) => [row.username.toString(), row.role.toString()]))
  let unknown: string | undefined
  for (const [username, name] of names) {
    const role = roles.get(username)
    if (role === undefined) unknown ??= name
    if (role === 'superuser') throw invalidUsername(name, 'a superuser may do everything, without exceptions')
    if (role === 'anonymous' && !anonymousMay(permission)) {
      throw invalidUsername(name, 'the anonymous user can be an exception for list and read alone')
    }
  }
  if (unknown !== undefined) throw new ServiceError('TNoSuchUser', { name: unknown }, { status: 412 })
  return rows.map((row) => row.id)
}

/** Deletes all policies of a namespace or tag that is being deleted. */
export async function deletePolicies<T extends Governed, V>(
  tx: WriteTx<V>,
  target: Permitted<`${T}.delete`, V>,
  table: NoInfer<T>,
): Promise<void> {
  await tx
    .table('permission_exceptions')
    .where('target_id', target.id)
    .whereIn('permission', codesOf(table))
    .del()
}
