/** Interprets the path and the actions on a command line for subcommands that show or set permissions. */
import { ServiceError } from '../../packages/client/index.ts'
import type { Connection } from '../connection/connect.ts'
import { quotedInQuery } from '../../common/connection/addresses.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { explain } from '../terminal/explanations.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import {
  allActions,
  actionName,
  ownerOf,
  type Action,
  type Category,
} from '../../common/changing/policies.ts'

/** A tag or a namespace. */
export interface Thing {
  readonly path: string
  readonly categories: readonly Category[]
}

/** Runs work on a tag or namespace. A path names a namespace if it ends with a slash or is not the path of a tag. */
export async function withThing<T>(
  connection: Connection,
  path: string,
  work: (thing: Thing) => Promise<T>,
): Promise<T> {
  return withSpelling(
    connection,
    async () => work(await thingOf(connection, path)),
    (error) => {
      if (error.errorClass !== 'TPathPermissionDenied') return undefined
      // The list of users with CONTROL is itself a permission, so the service tells it only to those users.
      const remedy = `only users who control it see and change that: sign in as one of them, perhaps ${ownerOf(path)}`
      const what = `${explain(error).what} [${error.errorClass}]`
      return new Failure(what, remedy, STATUS.failed, { cause: error })
    },
  )
}

async function thingOf(connection: Connection, path: string): Promise<Thing> {
  const namespace: Thing = { path: path.replace(/(?<!\/)\/+$/, ''), categories: ['namespaces'] }
  if (namespace.path === '')
    throw misuse(`'${path}' names no tag and no namespace`, 'gloss ls shows what there is')
  if (path.endsWith('/') || !path.includes('/')) return namespace
  try {
    await connection.client.GET('/tags/{tag_path}', { params: { path: { tag_path: path } } })
    return { path, categories: ['tag-values', 'tags'] }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errorClass !== 'TNonexistentTag') throw error
    if (await isNamespace(connection, path)) return namespace
    throw error
  }
}

/** Returns whether a namespace exists; every user may know that. */
async function isNamespace({ client }: Connection, path: string): Promise<boolean> {
  const folded = path.replace(/^[^/]+/, (user) => user.toLowerCase())
  const query = `service/namespaces/path = ${quotedInQuery(folded)}`
  const { data } = await client.GET('/search', { params: { query: { query, limit: 1 } } })
  return data.results.length > 0
}

/**
 * Finds actions by names such as `read` or `tags/delete`; without names, the first action. Throws a `Failure` for an
 * unknown name.
 */
export function actionsOf(thing: Thing, names: readonly string[] | undefined): Action[] {
  const all = allActions(thing)
  return (names ?? all.slice(0, 1).map(actionName)).map((name) => {
    const found = all.find((one) => actionName(one) === name || one.action === name)
    if (found !== undefined) return found
    const what = thing.categories.includes('namespaces') ? 'a namespace' : 'a tag'
    throw misuse(`there is no action '${name}' on ${what}`, `there are ${all.map(actionName).join(', ')}`)
  })
}
