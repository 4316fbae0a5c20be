/** The policies of namespaces, tags and tag values. */
import { permitNamespace } from '../data/permissions/namespace-permissions.ts'
import { permitTag, permitTagValue } from '../data/permissions/permissions.ts'
import { readExceptions, readPolicy, writePolicy } from '../data/permissions/policies.ts'
import { requireState, stateTag, type State } from '../http/answer/preconditions.ts'
import type { Handler } from '../http/handler.ts'

type Permission = Awaited<ReturnType<typeof readPolicy>>

/** What the entity tag of a permission stands for. */
const stateOf = ({ policy, exceptions }: Permission): State => [policy, ...exceptions]

/** GET /permissions/namespaces/{namespace_path} */
export const getNamespacePermission: Handler<'getNamespacePermission'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const namespace = await permitNamespace(tx, 'control', args.namespace_path)
    const json = await readPolicy(tx, namespace, `namespaces.${args.action}`)
    return reply({ status: 200, json, etag: stateTag(stateOf(json)) })
  })

/** PUT /permissions/namespaces/{namespace_path} */
export const putNamespacePermission: Handler<'putNamespacePermission'> = async ({
  args,
  body,
  preconditions,
  caller,
  store,
  reply,
}) => {
  const policy = { ...body, exceptions: await readExceptions(body.exceptions) }
  await store.write(caller, async (tx) => {
    const namespace = await permitNamespace(tx, 'control', args.namespace_path)
    await requireState(preconditions, async () =>
      stateOf(await readPolicy(tx, namespace, `namespaces.${args.action}`)),
    )
    await writePolicy(tx, namespace, `namespaces.${args.action}`, policy)
  })
  return reply({ status: 204 })
}

/** GET /permissions/tags/{tag_path} */
export const getTagPermission: Handler<'getTagPermission'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const tag = await permitTag(tx, 'control', args.tag_path)
    const json = await readPolicy(tx, tag, `tags.${args.action}`)
    return reply({ status: 200, json, etag: stateTag(stateOf(json)) })
  })

/** PUT /permissions/tags/{tag_path} */
export const putTagPermission: Handler<'putTagPermission'> = async ({
  args,
  body,
  preconditions,
  caller,
  store,
  reply,
}) => {
  const policy = { ...body, exceptions: await readExceptions(body.exceptions) }
  await store.write(caller, async (tx) => {
    const tag = await permitTag(tx, 'control', args.tag_path)
    await requireState(preconditions, async () => stateOf(await readPolicy(tx, tag, `tags.${args.action}`)))
    await writePolicy(tx, tag, `tags.${args.action}`, policy)
  })
  return reply({ status: 204 })
}

/** GET /permissions/tag-values/{tag_path} */
export const getTagValuePermission: Handler<'getTagValuePermission'> = ({ args, caller, store, reply }) =>
  store.read(caller, async (tx) => {
    const tag = await permitTagValue(tx, 'control', args.tag_path)
    const json = await readPolicy(tx, tag, `tag-values.${args.action}`)
    return reply({ status: 200, json, etag: stateTag(stateOf(json)) })
  })

/** PUT /permissions/tag-values/{tag_path} */
export const putTagValuePermission: Handler<'putTagValuePermission'> = async ({
  args,
  body,
  preconditions,
  caller,
  store,
  reply,
}) => {
  const policy = { ...body, exceptions: await readExceptions(body.exceptions) }
  await store.write(caller, async (tx) => {
    const tag = await permitTagValue(tx, 'control', args.tag_path)
    await requireState(preconditions, async () =>
      stateOf(await readPolicy(tx, tag, `tag-values.${args.action}`)),
    )
    await writePolicy(tx, tag, `tag-values.${args.action}`, policy)
  })
  return reply({ status: 204 })
}
