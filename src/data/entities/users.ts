/** Users: reading, creating, changing and deleting them, together with their namespaces. */
import { invalidUsername, ServiceError } from '../../model/errors.ts'
import { namespaceOf, readUsername, type Path, type Username } from '../../model/paths.ts'
import { idBytes, type ObjectId } from '../database/ids/ids.ts'
import type { Policies, Policy } from '../permissions/policies.ts'
import {
  permitNamespacesOf,
  permitObjectCreation,
  type PermittedUser,
  type User,
  type UserCreation,
} from '../permissions/user-rights.ts'
import { ANONYMOUS_USER, SERVICE_USER, USERS } from '../store/tables.ts'
import { touch } from '../store/touching.ts'
import type { Caller, ReadTx, Role, WriteTx } from '../store/views.ts'
import { deleteSystemValues, readSystemValue, writeSystemValue } from '../rows/system-values.ts'
import { deleteNamespace, insertNamespace } from './namespaces.ts'
import { objectAbout } from './objects.ts'

/** The caller of requests without credentials. */
export const ANONYMOUS: Caller = {
  userId: ANONYMOUS_USER.id,
  username: ANONYMOUS_USER.username,
  role: 'anonymous',
}

/** The caller of the service's own work. */
export const SERVICE: Caller = { userId: SERVICE_USER.id, username: SERVICE_USER.username, role: 'superuser' }

/** The name of a new user. Throws `TInvalidUsername`, also for names with a colon, which HTTP Basic cannot carry. */
export function readNewUsername(raw: string): Username {
  const username = readUsername(raw)
  if (username.includes(':')) throw invalidUsername(raw, 'nobody could sign in with a name that holds :')
  return username
}

/** What callers see of a user. */
interface UserData {
  readonly id: ObjectId
  /** The name to show: the name in the user's data, else the user name. */
  readonly name: string
  readonly role: Role
  /** Undefined for a caller who may not read it. */
  readonly email: string | undefined
}

/** What the caller may see of a user. */
export async function readUser<V>(tx: ReadTx<V>, { objectId, username, role }: User): Promise<UserData> {
  const name = (await readSystemValue(tx, objectId, 'userName')) ?? username
  const email = tx.caller.role === 'superuser' ? await readSystemValue(tx, objectId, 'userEmail') : undefined
  return { id: objectId, name, role, email }
}

/** The fields that users may change of themselves; `passwordHash` is in the PHC string format. */
interface OwnFields {
  readonly passwordHash?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
}

/** The fields of a user that can be set. */
export interface UserFields extends OwnFields {
  readonly role?: 'superuser' | 'user' | undefined
}

/** Creates a user with the namespaces `<user>` and `<user>/private`. Throws `TUserAlreadyExists`. */
export async function createUser<V>(
  tx: WriteTx<V>,
  right: UserCreation<V>,
  username: Username,
  fields: UserFields,
): Promise<ObjectId> {
  const existing = await tx.table('users').where('username', username).first('id').forUpdate()
  if (existing !== undefined) throw new ServiceError('TUserAlreadyExists', { name: username })
  const id = await tx.newId('users')
  const role = fields.role ?? 'user'
  const { name = username, email = '', passwordHash = null } = fields
  const user = { id, username, role, passwordHash, name, email }
  const objectId = await insertUser(tx, right, user)
  const own: Policy = { policy: 'closed', exceptions: [id] }
  const policies = topLevelPolicies(own, { policy: 'open', exceptions: [] })
  const path = namespaceOf(username)
  const { id: parentId } = await insertNamespace(tx, right, {
    path,
    parentId: 0,
    description: `Namespace of the user ${username}`,
    policies,
  })
  await insertNamespace(tx, right, {
    path: `${path}/private` as Path,
    parentId,
    description: `Private namespace of the user ${username}`,
    policies: topLevelPolicies(own, own),
  })
  return objectId
}

/** The policies of a user's own namespaces: one for LIST, and one for the other four actions. */
export const topLevelPolicies = (others: Policy, listing: Policy): Policies => ({
  'namespaces.create': others,
  'namespaces.update': others,
  'namespaces.delete': others,
  'namespaces.list': listing,
  'namespaces.control': others,
})

interface NewUser {
  readonly id: number
  readonly username: Username
  readonly role: Role
  readonly passwordHash: string | null
  readonly name: string
  readonly email: string
}

/** The about value of a user's object. */
export const aboutUser = (username: Username): string => `@${username}`

/** Stores a user without any namespace; for `createUser` and the built-in users. */
export async function insertUser<V>(
  tx: WriteTx<V>,
  _right: UserCreation<V>,
  user: NewUser,
): Promise<ObjectId> {
  const { id, username, role, passwordHash, name, email } = user
  const objectId = await objectAbout(tx, permitObjectCreation(tx), aboutUser(username), {
    username,
    userName: name,
    userEmail: email,
    userRole: role,
  })
  await tx.insert(USERS, [{ id, username, role, password_hash: passwordHash, object_id: idBytes(objectId) }])
  return objectId
}

/** Keeps other writes that rely on a user from happening before this one commits, also at other nodes of a cluster. */
export const relyOnUser = <V>(tx: WriteTx<V>, { id }: User): Promise<void> => touch(tx, 'users', [id])

const isBuiltIn = (user: User): boolean => user.id === SERVICE_USER.id || user.id === ANONYMOUS_USER.id

/**
 * Changes the given fields of a user. Throws `TInvalidUsername` for a role or password that a built-in user cannot get.
 */
export async function updateUser<V>(
  tx: WriteTx<V>,
  user: PermittedUser<'update', V>,
  { role, ...fields }: UserFields,
): Promise<void> {
  if (isBuiltIn(user) && role !== undefined && role !== user.role) throw notForBuiltIn(user)
  await updateOwnFields(tx, user, fields)
  if (role !== undefined) {
    await tx.table('users').where('id', user.id).update({ role })
    await writeSystemValue(tx, user.objectId, 'userRole', role)
  }
}

/** Changes the fields that users may change of themselves. Throws as `updateUser`. */
export async function updateOwnFields<V>(
  tx: WriteTx<V>,
  user: PermittedUser<'update', V> | PermittedUser<'update-own', V>,
  { passwordHash, name, email }: OwnFields,
): Promise<void> {
  if (user.id === ANONYMOUS_USER.id && passwordHash !== undefined) throw notForBuiltIn(user)
  if (passwordHash !== undefined) {
    await tx.table('users').where('id', user.id).update({ password_hash: passwordHash })
  }
  if (name !== undefined) await writeSystemValue(tx, user.objectId, 'userName', name)
  if (email !== undefined) await writeSystemValue(tx, user.objectId, 'userEmail', email)
}

const notForBuiltIn = (user: User): ServiceError =>
  invalidUsername(user.username, 'the user is built in, and cannot be changed like this')

/** Sets a user's password if they have none yet; returns whether it did so. */
export async function initializePassword<V>(
  tx: WriteTx<V>,
  { id }: PermittedUser<'update', V>,
  passwordHash: string,
): Promise<boolean> {
  const row = await tx.table('users').where('id', id).first('password_hash').forUpdate()
  if (row?.password_hash !== null) return false
  await tx.table('users').where('id', id).update({ password_hash: passwordHash })
  return true
}

/**
 * Deletes a user, their empty namespaces and their entries in exceptions lists. Throws `TNamespaceNotEmpty` if their
 * namespaces contain anything, and `TInvalidUsername` for the built-in users.
 */
export async function deleteUser<V>(tx: WriteTx<V>, user: PermittedUser<'delete', V>): Promise<void> {
  if (isBuiltIn(user)) throw notForBuiltIn(user)
  for (const namespace of await permitNamespacesOf(tx, user)) await deleteNamespace(tx, namespace)
  await tx.table('permission_exceptions').where('user_id', user.id).del()
  await deleteSystemValues(tx, user.objectId, ['username', 'userName', 'userEmail', 'userRole'])
  await tx.table('users').where('id', user.id).del()
}
