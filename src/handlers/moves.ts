/** New paths for tags and namespaces. */
import { moveNamespace, moveTag } from '../data/entities/moves.ts'
import type { Handler } from '../http/handler.ts'

/** POST /moves: the contract admits either `tag` or `namespace`. */
export const movePath: Handler<'movePath'> = async ({ body, caller, store, signal, reply }) => {
  const { tag, namespace = '', to } = body
  const work = tag === undefined ? moveNamespace : moveTag
  await store.write(caller, (tx) => work(tx, tag ?? namespace, to), signal)
  return reply({ status: 204 })
}
