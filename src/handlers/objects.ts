/** Objects by id, and finding them by query. */
import { newObjectId, readObjectId } from '../data/ids.ts'
import * as objects from '../data/objects.ts'
import { permitTagValue } from '../data/permissions.ts'
import { search, searching } from '../data/search.ts'
import { readValueAt, writeValueAt } from '../data/single-values.ts'
import * as values from '../data/value-writing.ts'
import { checkPreconditions } from '../http/preconditions.ts'
import { idList } from '../http/representations.ts'
import { parseQuery } from '../query/parse.ts'
import type { Handler } from './handler.ts'

/** POST /objects: a new object, or the one that is about something. */
export const createObject: Handler<'createObject'> = async ({ body, caller, store, absoluteUrl, reply }) => {
  const about = body?.about === undefined ? undefined : objects.readAboutValue(body.about, 'about')
  const id =
    about === undefined ? newObjectId() : await store.write(caller, (tx) => objects.objectAbout(tx, about))
  const location = absoluteUrl(`/objects/${id}`)
  return reply({ status: 201, json: { URI: location, id }, location })
}

/** GET /objects: the ids of the objects that a query matches, in ascending order. */
export const findObjects: Handler<'findObjects'> = async (call) => {
  const text = call.args.query
  const query = parseQuery(text, call.queryLimits)
  return call.reply({ status: 200, json: idList(await searching(call, { query, text }, search)) })
}

/** GET /objects/{object_id}: the tags on an object that the caller may read, and what it is about. */
export const getObject: Handler<'getObject'> = ({ args, caller, store, reply }) => {
  const id = readObjectId(args.object_id)
  return store.read(caller, async (tx) => {
    const tagPaths = await objects.readTagPaths(tx, id)
    const about = args.showAbout === true ? { about: (await objects.readAbout(tx, id)) ?? null } : {}
    return reply({ status: 200, json: { tagPaths, ...about } })
  })
}

/** GET /objects/{object_id}/{tag_path}: one value. */
export const getValue: Handler<'getValue'> = async ({ args, caller, store, reply }) => {
  const object = { id: readObjectId(args.object_id) }
  return reply({ status: 200, value: await readValueAt(store, caller, object, args.tag_path) })
}

/** PUT /objects/{object_id}/{tag_path}: sets one value, and makes the tag if it is missing. */
export const putValue: Handler<'putValue'> = async ({ args, body, preconditions, caller, store, reply }) => {
  const object = { id: readObjectId(args.object_id) }
  await writeValueAt(store, caller, object, args.tag_path, body, (current) => {
    checkPreconditions(preconditions, current)
  })
  return reply({ status: 204 })
}

/** DELETE /objects/{object_id}/{tag_path}: removes one value, if it is there. */
export const deleteValue: Handler<'deleteValue'> = async ({ args, preconditions, caller, store, reply }) => {
  const id = readObjectId(args.object_id)
  await store.write(caller, async (tx) => {
    const tag = await permitTagValue(tx, 'delete', args.tag_path)
    await values.deleteValue(tx, id, tag, (current) => {
      checkPreconditions(preconditions, current)
    })
  })
  return reply({ status: 204 })
}
