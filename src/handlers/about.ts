/** Objects addressed by their about value. */
import * as objects from '../data/entities/objects.ts'
import { permitObjectCreation } from '../data/permissions/user-rights.ts'
import { deleteValueAt, readValueAt, writeValueAt } from '../data/operations/single-values.ts'
import { checkOf } from '../http/answer/preconditions.ts'
import type { Handler } from '../http/handler.ts'

/** POST /about/{about_value}: the object about something; creates it if it does not exist. */
export const createObjectByAbout: Handler<'createObjectByAbout'> = async ({
  args,
  caller,
  store,
  absoluteUrl,
  reply,
}) => {
  const about = objects.readAboutValue(args.about_value, 'about_value')
  const id = await store.write(caller, (tx) => objects.objectAbout(tx, permitObjectCreation(tx), about))
  const location = absoluteUrl(`/objects/${id}`)
  return reply({ status: 201, json: { URI: location, id }, location })
}

/** GET /about/{about_value}: the object's id and the tags on it that the caller may read. */
export const getObjectByAbout: Handler<'getObjectByAbout'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const id = await objects.getObjectAbout(tx, args.about_value)
    return reply({ status: 200, json: { id, tagPaths: await objects.readTagPaths(tx, id) } })
  })

/** GET /about/{about_value}/{tag_path}: one value. */
export const getValueByAbout: Handler<'getValueByAbout'> = async ({
  args,
  caller,
  store,
  reserve,
  reply,
}) => {
  const place = { object: { about: args.about_value }, path: args.tag_path }
  return reply({ status: 200, value: await readValueAt(store, caller, place, reserve) })
}

/** PUT /about/{about_value}/{tag_path}: sets one value; creates the object and the tag if they are missing. */
export const putValueByAbout: Handler<'putValueByAbout'> = async ({
  args,
  body,
  preconditions,
  caller,
  store,
  reply,
}) => {
  const object = { about: objects.readAboutValue(args.about_value, 'about_value') }
  const writing = { value: body, check: checkOf(preconditions) }
  await writeValueAt(store, caller, { object, path: args.tag_path }, writing)
  return reply({ status: 204 })
}

/** DELETE /about/{about_value}/{tag_path}: removes one value, if it exists. */
export const deleteValueByAbout: Handler<'deleteValueByAbout'> = async ({
  args,
  preconditions,
  caller,
  store,
  reply,
}) => {
  const place = { object: { about: args.about_value }, path: args.tag_path }
  await deleteValueAt(store, caller, place, checkOf(preconditions))
  return reply({ status: 204 })
}
