/** Objects by id, and finding them by query. */
import { newObjectId, readObjectId } from '../data/database/ids/ids.ts'
import * as objects from '../data/entities/objects.ts'
import { permitObjectCreation } from '../data/permissions/user-rights.ts'
import { search, searching } from '../data/search/search.ts'
import { deleteValueAt, readValueAt, writeValueAt } from '../data/operations/single-values.ts'
import { checkOf } from '../http/answer/preconditions.ts'
import { idList } from '../http/answer/representations.ts'
import { parseQuery } from '../query/parse.ts'
import type { Handler } from '../http/handler.ts'

/** POST /objects: creates an object, or returns the existing one that is about something. */
export const createObject: Handler<'createObject'> = async ({ body, caller, store, absoluteUrl, reply }) => {
  const about = body?.about === undefined ? undefined : objects.readAboutValue(body.about, 'about')
  const id =
    about === undefined
      ? newObjectId()
      : await store.write(caller, (tx) => objects.objectAbout(tx, permitObjectCreation(tx), about))
  const location = absoluteUrl(`/objects/${id}`)
  return reply({ status: 201, json: { URI: location, id }, location })
}

/** GET /objects: the ids of the objects that a query matches, in ascending order. */
export const findObjects: Handler<'findObjects'> = async (call) => {
  const query = parseQuery(call.args.query, call.queryLimits)
  const ids = await searching(call, { query }, search)
  return call.reply({ status: 200, json: idList(ids) })
}

/** GET /objects/{object_id}: the tags on an object that the caller may read, and what it is about. */
export const getObject: Handler<'getObject'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const id = readObjectId(args.object_id)
    const tagPaths = await objects.readTagPaths(tx, id)
    if (!args.showAbout) return reply({ status: 200, json: { tagPaths } })
    return reply({ status: 200, json: { tagPaths, about: (await objects.readAbout(tx, id)) ?? null } })
  })

/** GET /objects/{object_id}/{tag_path}: one value. */
export const getValue: Handler<'getValue'> = async ({ args, caller, store, reserve, reply }) => {
  const place = { object: { id: readObjectId(args.object_id) }, path: args.tag_path }
  return reply({ status: 200, value: await readValueAt(store, caller, place, reserve) })
}

/** PUT /objects/{object_id}/{tag_path}: sets one value; creates the tag if it is missing. */
export const putValue: Handler<'putValue'> = async ({ args, body, preconditions, caller, store, reply }) => {
  const object = { id: readObjectId(args.object_id) }
  const writing = { value: body, check: checkOf(preconditions) }
  await writeValueAt(store, caller, { object, path: args.tag_path }, writing)
  return reply({ status: 204 })
}

/** DELETE /objects/{object_id}/{tag_path}: removes one value, if it exists. */
export const deleteValue: Handler<'deleteValue'> = async ({ args, preconditions, caller, store, reply }) => {
  const place = { object: { id: readObjectId(args.object_id) }, path: args.tag_path }
  await deleteValueAt(store, caller, place, checkOf(preconditions))
  return reply({ status: 204 })
}
