/** The newest tag values on objects and by users. */
import { IdSet } from '../data/database/ids/id-sets.ts'
import { readObjectId } from '../data/database/ids/ids.ts'
import { findObjectAbout } from '../data/entities/objects.ts'
import { recentByQuery, recentValues, usersAmong } from '../data/operations/recent.ts'
import { getUser } from '../data/permissions/user-rights.ts'
import { recentList } from '../http/answer/representations.ts'
import { parseQuery } from '../query/parse.ts'
import type { Call, Handler } from '../http/handler.ts'

type AnyCall = Pick<Call<'getRecentOnObjects'>, 'store' | 'caller' | 'signal'> & {
  readonly args: { readonly limit: number }
}

const asking = ({ store, caller, signal, args }: AnyCall) => ({
  store,
  caller,
  signal,
  limit: args.limit,
})

/** GET /recent/objects/{object_id} */
export const getRecentOnObject: Handler<'getRecentOnObject'> = async (call) => {
  const objects = IdSet.of(readObjectId(call.args.object_id))
  const values = await recentValues(asking(call), () => Promise.resolve({ objects }))
  return call.reply({ status: 200, json: recentList(values) })
}

/** GET /recent/about/{about_value} */
export const getRecentOnAbout: Handler<'getRecentOnAbout'> = async (call) => {
  const values = await recentValues(asking(call), async (tx) => ({
    objects: IdSet.of(await findObjectAbout(tx, call.args.about_value)),
  }))
  return call.reply({ status: 200, json: recentList(values) })
}

/** GET /recent/users/{username} */
export const getRecentByUser: Handler<'getRecentByUser'> = async (call) => {
  const values = await recentValues(asking(call), async (tx) => ({
    users: [(await getUser(tx, call.args.username)).id],
  }))
  return call.reply({ status: 200, json: recentList(values) })
}

/** The query of a call, parsed, and who observes the search. */
const asked = ({
  args,
  queryLimits,
  observe,
}: Pick<Call<'getRecentOnObjects'>, 'args' | 'queryLimits' | 'observe'>) => ({
  query: parseQuery(args.query, queryLimits),
  observe,
})

/** GET /recent/objects?query= */
export const getRecentOnObjects: Handler<'getRecentOnObjects'> = async (call) => {
  const values = await recentByQuery(asking(call), asked(call), (_tx, objects) => ({ objects }))
  return call.reply({ status: 200, json: recentList(values) })
}

/** GET /recent/users?query=: by the users whose objects the query matches. */
export const getRecentByUsers: Handler<'getRecentByUsers'> = async (call) => {
  const values = await recentByQuery(asking(call), asked(call), usersAmong)
  return call.reply({ status: 200, json: recentList(values) })
}
