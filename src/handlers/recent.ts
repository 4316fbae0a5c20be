/** The newest tag values on objects and by users. */
import { idBytes, readObjectId } from '../data/ids.ts'
import { findObjectAbout } from '../data/objects.ts'
import { recentByUsers, recentOnObjects, usersAmong } from '../data/recent.ts'
import { search, searching } from '../data/search.ts'
import { getUser } from '../data/users.ts'
import { recentList } from '../http/representations.ts'
import { parseQuery } from '../query/parse.ts'
import type { Call, Handler } from './handler.ts'

/** The contract's default, which the validation fills in; the generated types do not know that it does. */
const DEFAULT_LIMIT = 20

const limitOf = (args: { readonly limit?: number }): number => args.limit ?? DEFAULT_LIMIT

/** GET /recent/objects/{object_id} */
export const getRecentOnObject: Handler<'getRecentOnObject'> = ({ args, caller, store, reply }) => {
  const ids = idBytes(readObjectId(args.object_id))
  return store.read(caller, async (tx) =>
    reply({ status: 200, json: recentList(await recentOnObjects(tx, ids, limitOf(args))) }),
  )
}

/** GET /recent/about/{about_value} */
export const getRecentOnAbout: Handler<'getRecentOnAbout'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const object = await findObjectAbout(tx, args.about_value)
    const ids = object === undefined ? Buffer.alloc(0) : idBytes(object)
    return reply({ status: 200, json: recentList(await recentOnObjects(tx, ids, limitOf(args))) })
  })

/** GET /recent/users/{username} */
export const getRecentByUser: Handler<'getRecentByUser'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const user = await getUser(tx, args.username)
    return reply({ status: 200, json: recentList(await recentByUsers(tx, [user.id], limitOf(args))) })
  })

/** The query of a call, and its text. */
const asked = ({ args, queryLimits }: Pick<Call<'getRecentOnObjects'>, 'args' | 'queryLimits'>) => ({
  query: parseQuery(args.query, queryLimits),
  text: args.query,
})

/** GET /recent/objects?query= */
export const getRecentOnObjects: Handler<'getRecentOnObjects'> = (call) =>
  searching(call, asked(call), async (tx, permitted) => {
    const values = await recentOnObjects(tx, await search(tx, permitted), limitOf(call.args))
    return call.reply({ status: 200, json: recentList(values) })
  })

/** GET /recent/users?query=: by the users whose objects the query matches. */
export const getRecentByUsers: Handler<'getRecentByUsers'> = (call) =>
  searching(call, asked(call), async (tx, permitted) => {
    const users = await usersAmong(tx, await search(tx, permitted))
    return call.reply({ status: 200, json: recentList(await recentByUsers(tx, users, limitOf(call.args))) })
  })
