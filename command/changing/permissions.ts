/** Permissions of tags and namespaces: reading and setting them, and saying in words who may do what. */
import { ServiceError, type Client } from '../../packages/client/index.ts'
import type { Connection } from '../connection/connect.ts'
import { quotedInQuery } from '../connection/objects.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { explain } from '../manners/explanations.ts'
import { Failure, misuse, STATUS } from '../manners/failure.ts'

export interface Permission {
  readonly policy: 'open' | 'closed'
  readonly exceptions: readonly string[]
}

/** Actions by category, in the words of the contract. */
const ACTIONS = {
  'tag-values': ['read', 'write', 'delete', 'control'],
  tags: ['update', 'delete', 'control'],
  namespaces: ['list', 'create', 'update', 'delete', 'control'],
} as const

type Category = keyof typeof ACTIONS

/** What a permission is about. */
export interface Action {
  readonly category: Category
  readonly action: string
}

/** A tag or a namespace. */
interface Thing {
  readonly path: string
  readonly categories: readonly Category[]
}

/** Runs work on what a path names: a namespace if it ends with a slash or no tag has that path. */
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
      // Whoever may control it is a permission, too, so the service says it only to them.
      const remedy = `only those who control it see and change that: sign in as one of them, perhaps ${ownerOf(path)}`
      const what = `${explain(error).what} [${error.errorClass}]`
      return new Failure(what, remedy, STATUS.failed, { cause: error })
    },
  )
}

export const ownerOf = (path: string): string => path.replace(/\/.*/s, '').toLowerCase()

async function thingOf(connection: Connection, path: string): Promise<Thing> {
  const namespace: Thing = { path: path.replace(/\/+$/, ''), categories: ['namespaces'] }
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

/** Whether there is such a namespace, which everybody may know. */
async function isNamespace({ client }: Connection, path: string): Promise<boolean> {
  const folded = path.replace(/^[^/]+/, (user) => user.toLowerCase())
  const query = `service/namespaces/path = ${quotedInQuery(folded)}`
  const { data } = await client.GET('/search', { params: { query: { query, limit: 1 } } })
  return (data?.results.length ?? 0) > 0
}

/** All actions on a tag or namespace. */
export const allActions = ({ categories }: Pick<Thing, 'categories'>): Action[] =>
  categories.flatMap((category) => ACTIONS[category].map((action) => ({ category, action })))

/** The actions that are named, as `read` or `tags/delete`; without names the first one. Throws a `Failure` for others. */
export function actionsOf(thing: Thing, names: readonly string[] | undefined): Action[] {
  const all = allActions(thing)
  return (names ?? all.slice(0, 1).map(nameOf)).map((name) => {
    const found = all.find((one) => nameOf(one) === name || one.action === name)
    if (found !== undefined) return found
    const what = thing.categories.includes('namespaces') ? 'a namespace' : 'a tag'
    throw misuse(`there is no action '${name}' on ${what}`, `there are ${all.map(nameOf).join(', ')}`)
  })
}

export const nameOf = ({ category, action }: Action): string => `${category}/${action}`

const PATHS = {
  'tag-values': '/permissions/tag-values/{tag_path}',
  tags: '/permissions/tags/{tag_path}',
} as const

export async function readPermission(client: Client, path: string, of: Action): Promise<Permission> {
  const query = { action: of.action as never }
  const { data } =
    of.category === 'namespaces'
      ? await client.GET('/permissions/namespaces/{namespace_path}', {
          params: { path: { namespace_path: path }, query },
        })
      : await client.GET(PATHS[of.category], { params: { path: { tag_path: path }, query } })
  return data ?? { policy: 'closed', exceptions: [] }
}

export async function writePermission(
  client: Client,
  path: string,
  { category, action, policy, exceptions }: Action & Permission,
): Promise<void> {
  const query = { action: action as never }
  const body = { policy, exceptions: [...exceptions] }
  if (category === 'namespaces') {
    const params = { path: { namespace_path: path }, query }
    await client.PUT('/permissions/namespaces/{namespace_path}', { params, body })
  } else await client.PUT(PATHS[category], { params: { path: { tag_path: path }, query }, body })
}

const LABELS: Readonly<Record<Category, string>> = {
  'tag-values': 'its values',
  tags: 'the tag',
  namespaces: 'the namespace',
}

const inWords = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' })

/** Who may do what, a line for each category: `its values: everybody reads; alice writes and deletes`. */
export function sentences(permissions: readonly (Action & Permission)[]): string[] {
  const categories = new Set(permissions.map(({ category }) => category))
  return [...categories].map((category) => {
    const verbs = new Map<string, string[]>()
    for (const one of permissions.filter((it) => it.category === category)) {
      const [who, ending] = whoMay(one)
      verbs.set(who, [...(verbs.get(who) ?? []), one.action + ending])
    }
    const parts = [...verbs].map(([who, does]) => `${who} ${inWords.format(does)}`)
    return `${LABELS[category]}: ${parts.join('; ')}`
  })
}

/** Who may, and the ending that verbs then have. Anonymous requests may only list and read. */
function whoMay({ action, policy, exceptions }: Action & Permission): [who: string, ending: string] {
  const names = inWords.format([...exceptions].sort())
  if (policy === 'closed') return [names === '' ? 'nobody' : names, exceptions.length > 1 ? '' : 's']
  const all = action === 'read' || action === 'list' ? 'everybody' : 'every user'
  return [names === '' ? all : `${all} but ${names}`, 's']
}
