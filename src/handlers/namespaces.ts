/** Namespaces. */
import * as namespaces from '../data/entities/namespaces.ts'
import { permitNamespace } from '../data/permissions/namespace-permissions.ts'
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

/** GET /namespaces/{namespace_path}: a namespace, with the details asked for. */
export const getNamespace: Handler<'getNamespace'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const namespace = await permitNamespace(tx, 'list', args.namespace_path)
    const json = {
      id: namespace.objectId,
      ...(args.returnDescription && {
        description: await namespaces.describeNamespace(tx, namespace),
      }),
      ...(args.returnNamespaces && {
        namespaceNames: await namespaces.listNamespace(tx, namespace, 'namespaces'),
      }),
      ...(args.returnTags && { tagNames: await namespaces.listNamespace(tx, namespace, 'tags') }),
    }
    return reply({ status: 200, json })
  })

/** PUT /namespaces/{namespace_path}: changes the description. */
export const putNamespace: Handler<'putNamespace'> = async ({ args, body, caller, store, reply }) => {
  await store.write(caller, async (tx) => {
    await namespaces.updateNamespace(
      tx,
      await permitNamespace(tx, 'update', args.namespace_path),
      body.description,
    )
  })
  return reply({ status: 204 })
}

/** DELETE /namespaces/{namespace_path}: removes an empty namespace. */
export const deleteNamespace: Handler<'deleteNamespace'> = async ({ args, caller, store, reply }) => {
  await store.write(caller, async (tx) => {
    await namespaces.deleteNamespace(tx, await permitNamespace(tx, 'delete', args.namespace_path))
  })
  return reply({ status: 204 })
}
