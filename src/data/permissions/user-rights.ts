/** The rights to create objects, and to create, change and delete users. */
import { ServiceError } from '../../model/errors.ts'
import { findUsername, namespaceOf, type Username } from '../../model/paths.ts'
import { idText, type ObjectId } from '../database/ids/ids.ts'
import { sql } from '../database/connection/sql.ts'
import type { Caller, ReadTx, Role, WriteTx } from '../store/views.ts'
import { granted, type Permitted, type Right } from './rights.ts'

/** The right to create objects. */
export type ObjectCreation<V> = Right<'objects.create', V>

/** The right to create users, as well as namespaces and tags outside any user's namespace. */
export type UserCreation<V> = Right<'users.create', V>

/** A user whom the caller may change or delete. */
export interface PermittedUser<A extends 'update' | 'update-own' | 'delete', V>
  extends User, Right<`users.${A}`, V> {}

type UserAction = 'create' | 'update' | 'delete'

/** The public part of a user, which every caller may see. */
export interface User {
  readonly id: number
  readonly objectId: ObjectId
  readonly username: Username
  readonly role: Role
}

/** The right to create objects, which every user who signs in has. Throws `TUnauthorized`. */
export function permitObjectCreation<V>({ caller }: WriteTx<V>): ObjectCreation<V> {
  if (caller.role === 'anonymous') throw new ServiceError('TUnauthorized')
  return {} as ObjectCreation<V>
}

/** The user of that name. Throws `TNoSuchUser`. */
export async function getUser<V>(tx: ReadTx<V>, username: string): Promise<User> {
  const name = findUsername(username)
  const row = await tx.one<{ id: number; object_id: Buffer; role: Buffer }>(
    sql`SELECT id, object_id, role FROM users WHERE username = ${name ?? null} ${tx.lock}`,
  )
  if (name === undefined || row === undefined) throw new ServiceError('TNoSuchUser', { name: username })
  return { id: row.id, objectId: idText(row.object_id), username: name, role: row.role.toString() as Role }
}

/** Throws `TPathPermissionDenied` unless the caller is a superuser, who alone may administer users. */
export function refuseAdministration(caller: Caller, action: UserAction, username: string): void {
  if (caller.role === 'superuser') return
  throw new ServiceError('TPathPermissionDenied', { category: 'users', action, path: username })
}

/** The right to create the user of that name. Throws `TPathPermissionDenied`. */
export function permitUserCreation<V>({ caller }: WriteTx<V>, username: string): UserCreation<V> {
  refuseAdministration(caller, 'create', username)
  return {} as UserCreation<V>
}

/**
 * The user of that name, to change or delete them. Throws `TNoSuchUser`, then `TPathPermissionDenied`; does not reveal to
 * the anonymous user whether the user exists.
 */
export async function permitUserChange<A extends 'update' | 'delete', V>(
  tx: ReadTx<V>,
  action: A,
  username: string,
): Promise<PermittedUser<A, V>> {
  const user = await userOf(tx, action, username)
  refuseAdministration(tx.caller, action, user.username)
  return user as PermittedUser<A, V>
}

/**
 * The user of that name, to change the fields that users may change of themselves. Throws as `permitUserChange`, but not for
 * users who change themselves.
 */
export async function permitOwnChange<V>(
  tx: ReadTx<V>,
  username: string,
): Promise<PermittedUser<'update-own', V>> {
  const user = await userOf(tx, 'update', username)
  const { caller } = tx
  const self = caller.role === 'user' && caller.username === user.username
  if (!self) refuseAdministration(caller, 'update', user.username)
  return user as PermittedUser<'update-own', V>
}

async function userOf<V>(tx: ReadTx<V>, action: UserAction, username: string): Promise<User> {
  if (tx.caller.role === 'anonymous') refuseAdministration(tx.caller, action, username)
  return getUser(tx, username)
}

/** The namespaces that are created and deleted with a user, the inner one first, for deleting that user. */
export async function permitNamespacesOf<V>(
  tx: WriteTx<V>,
  { username }: PermittedUser<'delete', V>,
): Promise<Permitted<'namespaces.delete', V>[]> {
  const path = namespaceOf(username)
  const rows = await tx
    .table('namespaces')
    .whereIn('path', [path, `${path}/private`])
    .select('id', 'path', 'object_id')
    .orderBy('path', 'desc')
    .forUpdate()
  return rows.map((row) => granted({ ...row, allowed: 1 }))
}
