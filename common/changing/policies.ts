/** Reads and sets permissions of tags and namespaces, and says in words who may do what. */
import { ServiceError, type Client } from '../../packages/client/index.ts'
import { once } from '../../src/scheduling/once.ts'

export interface Permission {
  readonly policy: 'open' | 'closed'
  readonly exceptions: readonly string[]
}

/** The actions by category, with the names of the contract. */
export const ACTIONS = {
  'tag-values': ['read', 'write', 'delete', 'control'],
  tags: ['update', 'delete', 'control'],
  namespaces: ['list', 'create', 'update', 'delete', 'control'],
} as const

export type Category = keyof typeof ACTIONS

/** An action to which a permission applies. */
export interface Action {
  readonly category: Category
  readonly action: string
}

/** All actions of these categories. */
export const allActions = ({ categories }: { readonly categories: readonly Category[] }): Action[] =>
  categories.flatMap((category) => ACTIONS[category].map((action) => ({ category, action })))

/** The name of an action, such as `tag-values/read`. */
export const actionName = ({ category, action }: Action): string => `${category}/${action}`

const PATHS = {
  'tag-values': '/permissions/tag-values/{tag_path}',
  tags: '/permissions/tags/{tag_path}',
} as const

/** Reads a permission. Throws a `ServiceError`, for example if the user lacks CONTROL. */
export async function readPermission(
  client: Client,
  path: string,
  of: Action,
  signal?: AbortSignal,
): Promise<Permission> {
  const query = { action: of.action as never }
  const aborting = signal && { signal }
  const { data } =
    of.category === 'namespaces'
      ? await client.GET('/permissions/namespaces/{namespace_path}', {
          params: { path: { namespace_path: path }, query },
          ...aborting,
        })
      : await client.GET(PATHS[of.category], { params: { path: { tag_path: path }, query }, ...aborting })
  return data
}

/** Sets a permission. Throws a `ServiceError`. */
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

/**
 * Writes the first of these permissions that the service accepts, and returns it. The service refuses some users as
 * exceptions, such as superusers.
 */
export async function writeFirst<T extends Action & Permission>(
  client: Client,
  path: string,
  [first, ...others]: readonly T[],
): Promise<T> {
  if (first === undefined) throw new TypeError('no permission to write')
  try {
    await writePermission(client, path, first)
    return first
  } catch (error) {
    const isName = error instanceof ServiceError && error.errorClass === 'TInvalidUsername'
    if (!isName || others.length === 0) throw error
    return writeFirst(client, path, others)
  }
}

/** The owner of a tag or namespace: the user of its top-level namespace. */
export const ownerOf = (path: string): string => path.replace(/\/.*/s, '').toLowerCase()

/**
 * The permissions that close an action to all but the caller, or else to all but the owner of the path. Superusers have
 * all permissions and cannot be exceptions.
 */
export const closings = (user: string | undefined, path: string): Permission[] =>
  [[(user ?? '').toLowerCase()], [ownerOf(path)], []].map((exceptions) => ({ policy: 'closed', exceptions }))

const LABELS: Readonly<Record<Category, string>> = {
  'tag-values': 'its values',
  tags: 'the tag',
  namespaces: 'the namespace',
}

const inWords = once(() => new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }))

/** Sentences about the permissions, a line for each category: `its values: everybody reads; alice writes and deletes`. */
export function sentences(permissions: readonly (Action & Permission)[]): string[] {
  const categories = new Set(permissions.map(({ category }) => category))
  return [...categories].map((category) => {
    const verbs = new Map<string, string[]>()
    for (const one of permissions.filter((it) => it.category === category)) {
      const [who, ending] = whoMay(one)
      verbs.set(who, [...(verbs.get(who) ?? []), one.action + ending])
    }
    const parts = [...verbs].map(([who, does]) => `${who} ${inWords().format(does)}`)
    return `${LABELS[category]}: ${parts.join('; ')}`
  })
}

/** The subject of such a sentence, and the ending of its verb. Anonymous requests may only list and read. */
export function whoMay({ action, policy, exceptions }: Action & Permission): [who: string, ending: string] {
  const names = inWords().format([...exceptions].sort())
  if (policy === 'closed') return [names === '' ? 'nobody' : names, exceptions.length > 1 ? '' : 's']
  const all = action === 'read' || action === 'list' ? 'everybody' : 'every user'
  return [names === '' ? all : `${all} but ${names}`, 's']
}
