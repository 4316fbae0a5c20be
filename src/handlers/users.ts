/** Users and their administration. */
import * as rights from '../data/permissions/user-rights.ts'
import * as users from '../data/entities/users.ts'
import type { ReadTx, WriteTx } from '../data/store/views.ts'
import { requireState, stateTag, type Preconditions } from '../http/answer/preconditions.ts'
import { ServiceError } from '../model/errors.ts'
import type { Handler } from '../http/handler.ts'

/** POST /users: creates a user; only for superusers. */
export const createUser: Handler<'createUser'> = async ({
  body,
  caller,
  store,
  hashPassword,
  minPasswordLength,
  note,
  absoluteUrl,
  reply,
}) => {
  const { username, password, ...fields } = body
  // Before hashing, which is expensive.
  rights.refuseAdministration(caller, 'create', username)
  const name = users.readNewUsername(username)
  checkNewPassword(password, minPasswordLength)
  const passwordHash = await hashPassword(password)
  const id = await store.write(caller, (tx) =>
    users.createUser(tx, rights.permitUserCreation(tx, name), name, { ...fields, passwordHash }),
  )
  note({ event: 'user created', username: name, by: caller.username })
  const location = absoluteUrl(`/users/${name}`)
  return reply({ status: 201, json: { URI: location, id }, location })
}

/** What the entity tag of a user stands for; for superusers, who alone see it, that is the email, too. */
async function stateOf<V>(tx: ReadTx<V>, user: rights.User) {
  const { id, name, role, email } = await users.readUser(tx, user)
  return [id, name, role, email ?? null] as const
}

/** GET /users/{username}: a user, for anybody. */
export const getUser: Handler<'getUser'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const state = await stateOf(tx, await rights.getUser(tx, args.username))
    const [id, name] = state
    return reply({ status: 200, json: { id, name }, etag: stateTag(state) })
  })

/** Checks the conditions of a write of a user. Throws `TPreconditionFailed`. */
const requireUser = <V>(tx: WriteTx<V>, preconditions: Preconditions, user: rights.User): Promise<void> =>
  requireState(preconditions, async () => {
    await users.relyOnUser(tx, user)
    return stateOf(tx, user)
  })

/**
 * PUT /users/{username}: changes a user; for superusers and the user themselves, but only superusers can change the
 * role.
 */
export const putUser: Handler<'putUser'> = async ({
  args,
  body,
  preconditions,
  caller,
  store,
  hashPassword,
  minPasswordLength,
  note,
  reply,
}) => {
  const { password, role, ...fields } = body ?? {}
  const { username } = args
  // Before the hash, which is work, and again together with the change.
  await store.read(caller, async (tx) => {
    if (role === undefined) await rights.permitOwnChange(tx, username)
    else await rights.permitUserChange(tx, 'update', username)
  })
  if (password !== undefined) checkNewPassword(password, minPasswordLength)
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  const change = { ...fields, passwordHash }
  await store.write(caller, async (tx) => {
    if (role === undefined) {
      const user = await rights.permitOwnChange(tx, username)
      await requireUser(tx, preconditions, user)
      await users.updateOwnFields(tx, user, change)
    } else {
      const user = await rights.permitUserChange(tx, 'update', username)
      await requireUser(tx, preconditions, user)
      await users.updateUser(tx, user, { ...change, role })
    }
  })
  for (const event of changesOf(body ?? {})) note({ event, username, by: caller.username })
  return reply({ status: 204 })
}

/** The events in the security log that a change of a user makes. */
function* changesOf(
  fields: Readonly<Record<string, unknown>>,
): Generator<'password changed' | 'role changed' | 'user changed'> {
  const { password, role, ...others } = fields
  if (password !== undefined) yield 'password changed'
  if (role !== undefined) yield 'role changed'
  if (Object.keys(others).length > 0) yield 'user changed'
}

/** Throws `InvalidPayloadField` for a password that is shorter than the operator allows new ones to be. */
function checkNewPassword(password: string, least: number): void {
  if ([...password].length < least)
    throw new ServiceError(
      'InvalidPayloadField',
      { fieldname: 'password' },
      { hint: `use ${least} characters or more` },
    )
}

/** DELETE /users/{username}: removes a user whose namespaces are empty; only for superusers. */
export const deleteUser: Handler<'deleteUser'> = async (call) => {
  const { args, preconditions, caller, store, signal, note, reply } = call
  // They may be in the exceptions lists of very many tags.
  await store.write(
    caller,
    async (tx) => {
      const user = await rights.permitUserChange(tx, 'delete', args.username)
      await requireUser(tx, preconditions, user)
      await users.deleteUser(tx, user)
    },
    signal,
  )
  note({ event: 'user deleted', username: args.username, by: caller.username })
  return reply({ status: 204 })
}
