/** The newest tag values on objects and by users. */
import { IdSet } from '../data/database/id-sets.ts'
import { readObjectId } from '../data/database/ids.ts'
import { findObjectAbout } from '../data/things/objects.ts'
import { recentByUsers, recentOnObjects, usersAmong } from '../data/operations/recent.ts'
import { search, searching } from '../data/search/search.ts'
import { getUser } from '../data/permissions/user-rights.ts'
import { recentList } from '../http/representations.ts'
import { parseQuery } from '../query/parse.ts'
import type { Call, Handler } from '../http/handler.ts'

/** The contract's default. The validation fills it in, but the generated types do not know that. */
const DEFAULT_LIMIT = 20

const limitOf = (args: { readonly limit?: number }): number => args.limit ?? DEFAULT_LIMIT

/** GET /recent/objects/{object_id} */
export const getRecentOnObject: Handler<'getRecentOnObject'> = ({ args, caller, store, reply }) => {
  const ids = IdSet.of(readObjectId(args.object_id))
  return store.read(caller, async (tx) =>
    reply({ status: 200, json: recentList(await recentOnObjects(tx, ids, limitOf(args))) }),
  )
}

/** GET /recent/about/{about_value} */
export const getRecentOnAbout: Handler<'getRecentOnAbout'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const object = await findObjectAbout(tx, args.about_value)
    const values = await recentOnObjects(tx, IdSet.of(object), limitOf(args))
    return reply({ status: 200, json: recentList(values) })
  })

/** GET /recent/users/{username} */
export const getRecentByUser: Handler<'getRecentByUser'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const user = await getUser(tx, args.username)
    return reply({ status: 200, json: recentList(await recentByUsers(tx, [user.id], limitOf(args))) })
  })

/** The query of a call, parsed. */
const asked = ({ args, queryLimits }: Pick<Call<'getRecentOnObjects'>, 'args' | 'queryLimits'>) => ({
  query: parseQuery(args.query, queryLimits),
})

/** GET /recent/objects?query= */
export const getRecentOnObjects: Handler<'getRecentOnObjects'> = (call) =>
  searching(call, asked(call), async (tx, permitted) => {
    const values = await recentOnObjects(tx, await search(tx, permitted, call.observe), limitOf(call.args))
    return call.reply({ status: 200, json: recentList(values) })
  })

/** GET /recent/users?query=: by the users whose objects the query matches. */
export const getRecentByUsers: Handler<'getRecentByUsers'> = (call) =>
  searching(call, asked(call), async (tx, permitted) => {
    const users = await usersAmong(tx, await search(tx, permitted, call.observe))
    return call.reply({ status: 200, json: recentList(await recentByUsers(tx, users, limitOf(call.args))) })
  })
