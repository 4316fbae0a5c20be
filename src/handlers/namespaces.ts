/** Namespaces. */
import * as namespaces from '../data/entities/namespaces.ts'
import { mayList, permitNamespace } from '../data/permissions/namespace-permissions.ts'
import type { Permitted } from '../data/permissions/rights.ts'
import type { ReadTx } from '../data/store/views.ts'
import { requireState, stateTag, type State } from '../http/answer/preconditions.ts'
import type { Handler } from '../http/handler.ts'

/** POST /namespaces/{namespace_path}: creates a namespace in that one. */
export const createNamespace: Handler<'createNamespace'> = async ({
  args,
  body,
  caller,
  store,
  absoluteUrl,
  reply,
}) => {
  const { path, objectId } = await store.write(caller, (tx) =>
    namespaces.createNamespace(tx, args.namespace_path, body.name, body.description),
  )
  const location = absoluteUrl(`/namespaces/${path}`)
  return reply({ status: 201, json: { URI: location, id: objectId }, location })
}

/** What the entity tag of a namespace stands for, apart from the names of what it holds. */
const stateOf = async <V>(tx: ReadTx<V>, namespace: Permitted<'namespaces.list', V>) =>
  [namespace.objectId, await namespaces.describeNamespace(tx, namespace)] as const

/** The same at a path, for the conditions of a write: undefined for a caller who may not list the namespace. */
async function stateAt<V>(tx: ReadTx<V>, path: string): Promise<State | undefined> {
  const namespace = await mayList(tx, path)
  return namespace && stateOf(tx, namespace)
}

/** GET /namespaces/{namespace_path}: a namespace, with the details asked for. */
export const getNamespace: Handler<'getNamespace'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const namespace = await permitNamespace(tx, 'list', args.namespace_path)
    const state = await stateOf(tx, namespace)
    const [id, description] = state
    const listed = {
      ...(args.returnNamespaces && {
        namespaceNames: await namespaces.listNamespace(tx, namespace, 'namespaces'),
      }),
      ...(args.returnTags && { tagNames: await namespaces.listNamespace(tx, namespace, 'tags') }),
    }
    const json = { id, ...(args.returnDescription && { description }), ...listed }
    return reply({ status: 200, json, etag: stateTag(state, listed) })
  })

/** PUT /namespaces/{namespace_path}: changes the description. */
export const putNamespace: Handler<'putNamespace'> = async (call) => {
  const { args, body, preconditions, caller, store, reply } = call
  await store.write(caller, async (tx) => {
    const namespace = await permitNamespace(tx, 'update', args.namespace_path)
    await requireState(preconditions, () => stateAt(tx, args.namespace_path))
    await namespaces.updateNamespace(tx, namespace, body.description)
  })
  return reply({ status: 204 })
}

/** DELETE /namespaces/{namespace_path}: removes an empty namespace. */
export const deleteNamespace: Handler<'deleteNamespace'> = async (call) => {
  const { args, preconditions, caller, store, reply } = call
  await store.write(caller, async (tx) => {
    const namespace = await permitNamespace(tx, 'delete', args.namespace_path)
    await requireState(preconditions, () => stateAt(tx, args.namespace_path))
    await namespaces.deleteNamespace(tx, namespace)
  })
  return reply({ status: 204 })
}
