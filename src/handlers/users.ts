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
  const { password, ...fields } = body ?? {}
  const self = fields.role === undefined
  // Before hashing, which is expensive, and once more together with the change.
  await store.read(caller, async (tx) => {
    await rights.permitUserChange(tx, 'update', args.username, self)
  })
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  await store.write(caller, async (tx) => {
    const user = await rights.permitUserChange(tx, 'update', args.username, self)
    await users.updateUser(tx, user, { ...fields, passwordHash })
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
