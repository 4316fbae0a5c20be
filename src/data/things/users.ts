/** Users: signing in, making, changing and deleting them, with their namespaces (S 4.6, S 5). */
import { ServiceError } from '../../errors.ts'
import { findUsername, namespaceOf, readUsername, type Path, type Username } from '../../paths.ts'
import { idBytes, idText, type ObjectId } from '../database/ids.ts'
import { deleteNamespace, insertNamespace } from './namespaces.ts'
import { objectAbout } from './objects.ts'
import { permitNamespacesOf, permitUser } from '../permissions/permissions.ts'
import type { Policies, Policy } from '../permissions/policies.ts'
import { insert, sql } from '../database/sql.ts'
import { lockOf, type Caller, type ReadTx, type Role, type Store, type WriteTx } from '../store/store.ts'
import { ANONYMOUS_USER, SERVICE_USER, USERS } from '../store/tables.ts'
import { deleteSystemValues, writeSystemValue } from '../values/writing.ts'
import { readSystemValue } from '../values/reading.ts'

/** The caller of requests without credentials. */
export const ANONYMOUS: Caller = {
  userId: ANONYMOUS_USER.id,
  username: ANONYMOUS_USER.username,
  role: 'anonymous',
}

/** The caller of what the service does by itself. */
export const SERVICE: Caller = { userId: SERVICE_USER.id, username: SERVICE_USER.username, role: 'superuser' }

/** A user who can sign in. */
export interface Account {
  readonly caller: Caller
  readonly passwordHash: string
}

/** The account of that name; undefined where nobody can sign in by it. */
export async function findAccount(store: Store, username: string): Promise<Account | undefined> {
  const name = findUsername(username)
  const row =
    name === undefined
      ? undefined
      : await store.glance(SERVICE, (tx) =>
          tx.one<{ id: number; role: Buffer; password_hash: Buffer | null }>(
            sql`SELECT id, role, password_hash FROM users WHERE username = ${name}`,
          ),
        )
  if (name === undefined || row?.password_hash == null) return undefined
  return {
    caller: { userId: row.id, username: name, role: row.role.toString() as Role },
    passwordHash: row.password_hash.toString(),
  }
}

/** A user as everybody may see them. */
export interface User {
  readonly id: number
  readonly objectId: ObjectId
  readonly username: Username
  readonly role: Role
}

/** The user of that name. Throws `TNoSuchUser`. */
export async function getUser(tx: ReadTx, username: string): Promise<User> {
  const name = findUsername(username)
  const row = await tx.one<{ id: number; object_id: Buffer; role: Buffer }>(
    sql`SELECT id, object_id, role FROM users WHERE username = ${name ?? null} ${lockOf(tx)}`,
  )
  if (name === undefined || row === undefined) throw new ServiceError('TNoSuchUser', { name: username })
  return { id: row.id, objectId: idText(row.object_id), username: name, role: row.role.toString() as Role }
}

/**
 * The user of that name, for changing or deleting them. Throws `TNoSuchUser`, then `TPathPermissionDenied`; the
 * anonymous user is told nothing about who exists.
 */
export async function permitUserChange(
  tx: ReadTx,
  action: 'update' | 'delete',
  username: string,
  self = false,
): Promise<User> {
  if (tx.caller.role === 'anonymous') permitUser(tx.caller, action, username)
  const user = await getUser(tx, username)
  permitUser(tx.caller, action, user.username, self)
  return user
}

/** The user name of somebody new. Throws `TInvalidUsername`, also for one with a colon, which HTTP Basic cannot carry. */
export function readNewUsername(raw: string): Username {
  const username = readUsername(raw)
  if (username.includes(':')) throw new ServiceError('TInvalidUsername', { name: raw })
  return username
}

/** The name that a user goes by. */
export const readUserName = async (tx: ReadTx, user: User): Promise<string> =>
  (await readSystemValue(tx, user.objectId, 'userName')) ?? user.username

/** What can be said of a user; `passwordHash` is in the PHC string format. */
export interface UserFields {
  readonly passwordHash?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly role?: 'superuser' | 'user' | undefined
}

/** Makes a user with the namespaces `<user>` and `<user>/private`. Throws `TUserAlreadyExists`. */
export async function createUser(tx: WriteTx, username: Username, fields: UserFields): Promise<ObjectId> {
  const existing = await tx.one(sql`SELECT id FROM users WHERE username = ${username} ${tx.forUpdate}`)
  if (existing !== undefined) throw new ServiceError('TUserAlreadyExists', { name: username })
  const id = await tx.newId('users')
  const role = fields.role ?? 'user'
  const user = { id, username, role, passwordHash: fields.passwordHash ?? null }
  const objectId = await insertUser(tx, user, fields.name ?? username, fields.email ?? '')
  const own: Policy = { policy: 'closed', exceptions: [id] }
  const policies = topLevelPolicies(own, { policy: 'open', exceptions: [] })
  const path = namespaceOf(username)
  const { id: parentId } = await insertNamespace(tx, {
    path,
    parentId: 0,
    description: `Namespace of the user ${username}`,
    policies,
  })
  await insertNamespace(tx, {
    path: `${path}/private` as Path,
    parentId,
    description: `Private namespace of the user ${username}`,
    policies: topLevelPolicies(own, own),
  })
  return objectId
}

/** The policies of a user's own namespaces: four actions alike, and LIST (S 2). */
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
}

/** Stores a user without any namespace; for `createUser` and the built-in users. */
export async function insertUser(tx: WriteTx, user: NewUser, name: string, email: string): Promise<ObjectId> {
  const objectId = await objectAbout(tx, `@${user.username}`)
  const { id, username, role, passwordHash } = user
  await tx.run(
    insert(USERS, [{ id, username, role, password_hash: passwordHash, object_id: idBytes(objectId) }]),
  )
  await writeSystemValue(tx, objectId, 'username', username)
  await writeSystemValue(tx, objectId, 'userName', name)
  await writeSystemValue(tx, objectId, 'userEmail', email)
  await writeSystemValue(tx, objectId, 'userRole', role)
  return objectId
}

const isBuiltIn = (user: User): boolean => user.id === SERVICE_USER.id || user.id === ANONYMOUS_USER.id

/** Changes what is given of a user. Throws `TInvalidUsername` for a role or password that a built-in user cannot get. */
export async function updateUser(tx: WriteTx, user: User, fields: UserFields): Promise<void> {
  const { passwordHash, name, email, role } = fields
  if (isBuiltIn(user) && role !== undefined && role !== user.role) throw notForBuiltIn(user)
  if (user.id === ANONYMOUS_USER.id && passwordHash !== undefined) throw notForBuiltIn(user)
  if (passwordHash !== undefined) {
    await tx.run(sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${user.id}`)
  }
  if (name !== undefined) await writeSystemValue(tx, user.objectId, 'userName', name)
  if (email !== undefined) await writeSystemValue(tx, user.objectId, 'userEmail', email)
  if (role !== undefined) {
    await tx.run(sql`UPDATE users SET role = ${role} WHERE id = ${user.id}`)
    await writeSystemValue(tx, user.objectId, 'userRole', role)
  }
}

const notForBuiltIn = (user: User): ServiceError =>
  new ServiceError('TInvalidUsername', { name: user.username })

/** Gives the superuser a password if they have none yet; whether this call did so. */
export async function initializePassword(tx: WriteTx, passwordHash: string): Promise<boolean> {
  const row = await tx.one<{ password_hash: Buffer | null }>(
    sql`SELECT password_hash FROM users WHERE id = ${SERVICE_USER.id} ${tx.forUpdate}`,
  )
  if (row?.password_hash !== null) return false
  await tx.run(sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${SERVICE_USER.id}`)
  return true
}

/**
 * Deletes a user, their empty namespaces and their places in exceptions lists. Throws `TNamespaceNotEmpty` while
 * their namespaces hold anything, `TInvalidUsername` for the built-in users.
 */
export async function deleteUser(tx: WriteTx, user: User): Promise<void> {
  if (isBuiltIn(user)) throw notForBuiltIn(user)
  for (const namespace of await permitNamespacesOf(tx, user.username)) await deleteNamespace(tx, namespace)
  await tx.run(sql`DELETE FROM permission_exceptions WHERE user_id = ${user.id}`)
  await deleteSystemValues(tx, user.objectId, ['username', 'userName', 'userEmail', 'userRole'])
  await tx.run(sql`DELETE FROM users WHERE id = ${user.id}`)
}
