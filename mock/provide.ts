/** Creates the things that a request names, so that the service's own code finds all of them. */
import { createNamespace } from '../src/data/entities/namespaces.ts'
import { objectAbout, readAboutValue } from '../src/data/entities/objects.ts'
import { ensureTags } from '../src/data/entities/tags.ts'
import { ANONYMOUS, createUser, readNewUsername, SERVICE } from '../src/data/entities/users.ts'
import { getUser, permitObjectCreation, permitUserCreation } from '../src/data/permissions/user-rights.ts'
import type { Changing, Store } from '../src/data/store/store.ts'
import type { Caller } from '../src/data/store/views.ts'
import { ServiceError } from '../src/model/errors.ts'
import { splitPath } from '../src/model/paths.ts'
import { pathsOf } from '../src/query/ast.ts'
import { QUERY_LIMITS } from '../src/query/lexer.ts'
import { parseQuery } from '../src/query/parse.ts'

/** The names in a call of any operation. */
export interface Naming {
  readonly args: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The caller of that name; creates the user if necessary. */
export async function provideCaller(store: Store, { username, role }: Caller): Promise<Caller> {
  if (role === 'anonymous') return ANONYMOUS
  await provideUser(store, username)
  const { id } = await store.read(SERVICE, (tx) => getUser(tx, username))
  return { userId: id, username, role }
}

/**
 * Creates the users, namespaces, tags and objects that a call names. It skips invalid names, which the service refuses.
 */
export async function provide(store: Store, operationId: string, { args, body }: Naming): Promise<void> {
  const { namespace_path, tag_path, username, about_value, query, tag, sort } = args
  const {
    exceptions,
    queries,
    query: checked,
    namespace,
    to,
    ...moved
  } = (body ?? {}) as Readonly<Record<string, unknown>>
  const inNamespace = operationId === 'createTag' ? tag_path : namespace_path
  const tags = [
    ...(operationId === 'createTag' ? [] : texts(tag_path)),
    ...texts(moved['tag']),
    ...texts(tag),
    ...texts(sort).map((path) => path.replace('-', '')),
  ]
  const asked = [...texts(query), ...texts(checked), ...elementsOf(queries).map(([text]) => text)]
  for (const name of [...texts(username), ...texts(exceptions)]) await provideUser(store, name)
  const parents = texts(to).map((path) => splitPath(path).parent)
  for (const path of [...texts(inNamespace), ...texts(namespace), ...parents])
    await provideNamespace(store, path)
  for (const path of [...tags, ...asked.flatMap(tagsOf)]) await provideTag(store, path)
  for (const [, values] of elementsOf(queries)) {
    for (const path of Object.keys(values)) await provideUser(store, userOf(path))
  }
  for (const about of texts(about_value)) {
    await made(store, (tx) => objectAbout(tx, permitObjectCreation(tx), readAboutValue(about, '')))
  }
}

const texts = (value: unknown): string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string')

const elementsOf = (queries: unknown): [query: string, values: object][] =>
  (queries ?? []) as [query: string, values: object][]

function tagsOf(query: string): readonly string[] {
  try {
    return pathsOf(parseQuery(query, QUERY_LIMITS))
  } catch {
    return []
  }
}

const userOf = (path: string): string => path.split('/')[0] ?? ''

const provideUser = (store: Store, username: string): Promise<void> =>
  made(store, (tx) => createUser(tx, permitUserCreation(tx, username), readNewUsername(username), {}))

/** No user can add to the service's own namespace, so its content is fixed. */
const isBuiltIn = (path: string): boolean => userOf(path).toLowerCase() === SERVICE.username

async function provideNamespace(store: Store, path: string): Promise<void> {
  if (isBuiltIn(path)) return
  const { parent, name } = splitPath(path)
  await provideUser(store, userOf(path))
  if (parent !== '') await made(store, (tx) => createNamespace(tx, parent, name, ''))
}

async function provideTag(store: Store, path: string): Promise<void> {
  if (isBuiltIn(path)) return
  await provideUser(store, userOf(path))
  await made(store, (tx) => ensureTags(tx, [path]))
}

/** Creates a thing, unless it exists or cannot exist. */
async function made(store: Store, work: Changing<unknown>): Promise<void> {
  try {
    await store.write(SERVICE, work)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}
