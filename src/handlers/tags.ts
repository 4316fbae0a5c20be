/** Tags themselves, not their values. */
import { permitTag } from '../data/permissions/permissions.ts'
import * as tags from '../data/entities/tags.ts'
import type { Handler } from '../http/handler.ts'

/** POST /tags/{tag_path}: creates a tag in the namespace at that path; all methods of a path share its parameter. */
export const createTag: Handler<'createTag'> = async ({ args, body, caller, store, absoluteUrl, reply }) => {
  const { path, objectId } = await store.write(caller, (tx) =>
    tags.createTag(tx, { parent: args.tag_path, ...body }),
  )
  const location = absoluteUrl(`/tags/${path}`)
  return reply({ status: 201, json: { URI: location, id: objectId }, location })
}

/** GET /tags/{tag_path}: a tag, for anybody. */
export const getTag: Handler<'getTag'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const tag = await tags.getTag(tx, args.tag_path)
    const json = { id: tag.objectId, indexed: tag.indexed }
    if (!args.returnDescription) return reply({ status: 200, json })
    return reply({ status: 200, json: { ...json, description: await tags.describeTag(tx, tag) } })
  })

/** PUT /tags/{tag_path}: changes the description. */
export const putTag: Handler<'putTag'> = async ({ args, body, caller, store, reply }) => {
  await store.write(caller, async (tx) => {
    await tags.updateTag(tx, await permitTag(tx, 'update', args.tag_path), body.description)
  })
  return reply({ status: 204 })
}

/** DELETE /tags/{tag_path}: removes a tag with all its values. */
export const deleteTag: Handler<'deleteTag'> = async ({ args, caller, store, reply }) => {
  await store.write(caller, async (tx) => {
    await tags.deleteTag(tx, await permitTag(tx, 'delete', args.tag_path))
  })
  return reply({ status: 204 })
}
