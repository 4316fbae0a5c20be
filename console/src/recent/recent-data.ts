/** Loads the latest values: on objects or by users that a query finds, by one user, or on one object. */
import { parseExact } from '../../../packages/client/json.ts'
import { cellOf, type Cell } from '../../../common/values.ts'
import { client } from '../service/service.ts'
import type { Asked } from './tabs.ts'

/** A value with its object, writer and time. */
export interface Recent {
  readonly id: string
  readonly about: string | null
  readonly tag: string
  readonly cell: Cell
  readonly updatedAt: string
  /** Null if the user no longer exists. */
  readonly by: string | null
}

interface Raw {
  readonly id: string
  readonly about: string | null
  readonly tag: string
  readonly username: string | null
  readonly 'updated-at': string
}

/** The latest values, newest first, at most 100. Throws a `ServiceError`. */
export async function fetchRecent(asked: Asked, limit: number, signal: AbortSignal): Promise<Recent[]> {
  const { data = '[]' } = await answer(asked, limit, signal)
  return (parseExact(data) as readonly Raw[]).map((one) => ({
    id: one.id,
    about: one.about,
    tag: one.tag,
    cell: cellOf(one),
    updatedAt: one['updated-at'],
    by: one.username,
  }))
}

function answer(asked: Asked, limit: number, signal: AbortSignal): Promise<{ data?: string }> {
  const { GET } = client()
  const init = { parseAs: 'text', signal } as const
  if ('query' in asked) {
    const query = { query: asked.query, limit }
    return asked.show === 'users'
      ? GET('/recent/users', { params: { query }, ...init })
      : GET('/recent/objects', { params: { query }, ...init })
  }
  const query = { limit }
  if ('user' in asked) {
    return GET('/recent/users/{username}', { params: { path: { username: asked.user }, query }, ...init })
  }
  return 'id' in asked
    ? GET('/recent/objects/{object_id}', { params: { path: { object_id: asked.id }, query }, ...init })
    : GET('/recent/about/{about_value}', { params: { path: { about_value: asked.about }, query }, ...init })
}
