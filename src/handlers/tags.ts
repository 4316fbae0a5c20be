/** Tags themselves, not their values. */
import { permitTag } from '../data/permissions/permissions.ts'
import * as tags from '../data/entities/tags.ts'
import type { ReadTx } from '../data/store/views.ts'
import { requireState, stateTag } from '../http/answer/preconditions.ts'
import type { Handler } from '../http/handler.ts'

/** POST /tags/{tag_path}: creates a tag in the namespace at that path; all methods of a path share its parameter. */
export const createTag: Handler<'createTag'> = async ({ args, body, caller, store, absoluteUrl, reply }) => {
  const { path, objectId } = await store.write(caller, (tx) =>
    tags.createTag(tx, { parent: args.tag_path, ...body }),
  )
  const location = absoluteUrl(`/tags/${path}`)
  return reply({ status: 201, json: { URI: location, id: objectId }, location })
}

/** What the entity tag of a tag stands for. */
const stateOf = async <V>(tx: ReadTx<V>, tag: tags.Tag) =>
  [tag.objectId, tag.indexed, await tags.describeTag(tx, tag)] as const

/** GET /tags/{tag_path}: a tag, for anybody. */
export const getTag: Handler<'getTag'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const state = await stateOf(tx, await tags.getTag(tx, args.tag_path))
    const [id, indexed, description] = state
    const json = { id, indexed, ...(args.returnDescription && { description }) }
    return reply({ status: 200, json, etag: stateTag(state) })
  })

/** PUT /tags/{tag_path}: changes the description. */
export const putTag: Handler<'putTag'> = async ({ args, body, preconditions, caller, store, reply }) => {
  await store.write(caller, async (tx) => {
    const tag = await permitTag(tx, 'update', args.tag_path)
    await requireState(preconditions, () => stateOf(tx, tag))
    await tags.updateTag(tx, tag, body.description)
  })
  return reply({ status: 204 })
}

/** DELETE /tags/{tag_path}: removes a tag with all its values. */
export const deleteTag: Handler<'deleteTag'> = async ({ args, preconditions, caller, store, reply }) => {
  await store.write(caller, async (tx) => {
    const tag = await permitTag(tx, 'delete', args.tag_path)
    await requireState(preconditions, () => stateOf(tx, tag))
    await tags.deleteTag(tx, tag)
  })
  return reply({ status: 204 })
}
