/** Users and their administration. */
import * as rights from '../data/permissions/user-rights.ts'
import * as users from '../data/things/users.ts'
import type { Handler } from '../http/handler.ts'

/** POST /users: creates a user; only for superusers. */
export const createUser: Handler<'createUser'> = async ({
  body,
  caller,
  store,
  hashPassword,
  absoluteUrl,
  reply,
}) => {
  const { username, password, ...fields } = body
  // Before hashing, which is expensive.
  rights.refuseAdministration(caller, 'create', username)
  const name = users.readNewUsername(username)
  const passwordHash = await hashPassword(password)
  const id = await store.write(caller, (tx) =>
    users.createUser(tx, rights.permitUserCreation(tx, name), name, { ...fields, passwordHash }),
  )
  const location = absoluteUrl(`/users/${name}`)
  return reply({ status: 201, json: { URI: location, id }, location })
}

/** GET /users/{username}: a user, for anybody. */
export const getUser: Handler<'getUser'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const user = await rights.getUser(tx, args.username)
    return reply({ status: 200, json: { id: user.objectId, name: await users.readUserName(tx, user) } })
  })

/**
 * PUT /users/{username}: changes a user; for superusers and the user themselves, but only superusers can change the
 * role.
 */
export const updateUser: Handler<'updateUser'> = async ({
  args,
  body,
  caller,
  store,
  accounts,
  hashPassword,
  reply,
}) => {
  const { password, role, ...fields } = body ?? {}
  const { username } = args
  // Before the hash, which is work, and again together with the change.
  await store.read(caller, async (tx) => {
    if (role === undefined) await rights.permitOwnChange(tx, username)
    else await rights.permitUserChange(tx, 'update', username)
  })
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  const change = { ...fields, passwordHash }
  await store.write(caller, async (tx) => {
    if (role === undefined) {
      await users.updateOwnFields(tx, await rights.permitOwnChange(tx, username), change)
    } else {
      await users.updateUser(tx, await rights.permitUserChange(tx, 'update', username), { ...change, role })
    }
  })
  accounts.forget()
  return reply({ status: 204 })
}

/** DELETE /users/{username}: removes a user whose namespaces are empty; only for superusers. */
export const deleteUser: Handler<'deleteUser'> = async ({ args, caller, store, accounts, reply }) => {
  await store.write(caller, async (tx) => {
    await users.deleteUser(tx, await rights.permitUserChange(tx, 'delete', args.username))
  })
  accounts.forget()
  return reply({ status: 204 })
}
