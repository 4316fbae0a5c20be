/** Lists namespaces and their content, as far as the user may. */
import { ServiceError, type Client } from '../../packages/client/index.ts'
import { faultsOf } from '../../common/connection/access.ts'
import type { Connection } from '../connection/connect.ts'
import { quotedInQuery } from '../../common/connection/addresses.ts'
import { groupsOf } from '../../common/connection/url-groups.ts'
import { rowsOf } from './query.ts'
import { limiter } from '../connection/limiter.ts'

/** A namespace or a tag. */
export interface Entry {
  readonly path: string
  readonly kind: 'namespace' | 'tag'
  readonly description: string
  /** Whether anonymous requests may not list the namespace, or not read the values of the tag. */
  readonly private: boolean
  /** Whether a namespace at the deepest requested level has entries. */
  readonly more?: boolean
  /** The entries; undefined for a tag, and for a namespace at the deepest requested level. */
  readonly entries?: readonly Entry[]
}

/** A namespace in an answer; undefined if the user may not list it. */
interface Listing {
  readonly description?: string
  readonly namespaceNames?: readonly string[]
  readonly tagNames?: readonly string[]
}

/** The number of concurrent requests. */
const inTurn = limiter(8)

/** A namespace and `depth` levels below it. Throws a `ServiceError` if it does not exist or the user may not list it. */
export async function listNamespace(connection: Connection, path: string, depth: number): Promise<Entry> {
  return entryOf(connection, { path, depth, listing: await fetchListing(connection.client, path) })
}

/** The top-level namespaces, which belong to the users, and `depth` - 1 levels below them. */
export async function listAll(connection: Connection, depth: number): Promise<readonly Entry[]> {
  const tag = 'service/users/username'
  const { rows } = rowsOf(connection, { query: `has ${tag}`, tags: [tag], sort: tag, limit: Infinity })
  const users: string[] = []
  // The anonymous user has no namespace.
  for await (const [, , name] of rows) if (typeof name === 'string' && name !== 'anon') users.push(name)
  return Promise.all(users.map((path) => entryIn(connection, path, depth - 1)))
}

/** Describes tags by their paths. */
export async function describeTags(
  connection: Connection,
  paths: readonly string[],
): Promise<readonly Entry[]> {
  const [faults, descriptions] = await Promise.all([
    inTurn(() => faultsOf(connection.anonymous, paths)),
    descriptionsOf(connection, paths),
  ])
  return paths.map((path, index) => ({
    path,
    kind: 'tag',
    description: descriptions.get(path) ?? '',
    private: faults[index] === 'TPathPermissionDenied',
  }))
}

async function entryIn(connection: Connection, path: string, depth: number): Promise<Entry> {
  return entryOf(connection, {
    path,
    depth,
    listing: await ifPermitted(fetchListing(connection.client, path)),
  })
}

async function entryOf(
  connection: Connection,
  { path, depth, listing }: { path: string; depth: number; listing: Listing | undefined },
): Promise<Entry> {
  const forEverybody =
    connection.user === undefined ? listing : await ifPermitted(fetchListing(connection.anonymous, path))
  const { description = '', namespaceNames = [], tagNames = [] } = listing ?? {}
  const entry = { path, kind: 'namespace' as const, description, private: forEverybody === undefined }
  if (depth === 0) return { ...entry, more: namespaceNames.length + tagNames.length > 0 }
  const [tags, ...namespaces] = await Promise.all([
    describeTags(
      connection,
      tagNames.map((name) => `${path}/${name}`),
    ),
    ...namespaceNames.map((name) => entryIn(connection, `${path}/${name}`, depth - 1)),
  ])
  const entries = [...tags, ...namespaces].sort((one, other) => (one.path < other.path ? -1 : 1))
  return { ...entry, entries }
}

async function fetchListing(client: Client, path: string): Promise<Listing> {
  const query = { returnDescription: true, returnNamespaces: true, returnTags: true }
  const { data } = await inTurn(() =>
    client.GET('/namespaces/{namespace_path}', { params: { path: { namespace_path: path }, query } }),
  )
  return data
}

/** The result of the request; undefined if the user may not list the namespace, or another user has deleted it. */
async function ifPermitted<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    const { errorClass } = error instanceof ServiceError ? error : {}
    if (errorClass === 'TPathPermissionDenied' || errorClass === 'TNonexistentNamespace') return undefined
    throw error
  }
}

/** The descriptions of tags by their paths; every user may read them. */
async function descriptionsOf(
  connection: Connection,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const conditions = paths.map((path) => `service/tags/path = ${quotedInQuery(path)}`)
  const known = new Map<string, string>()
  for (const some of groupsOf(
    conditions,
    (one) => ` or ${one}`,
    () => Infinity,
  )) {
    const query = some.join(' or ')
    const tags = ['service/tags/path', 'service/tags/description']
    const { rows } = rowsOf(connection, { query, tags, sort: undefined, limit: Infinity })
    for await (const [, , path, description] of rows) {
      if (typeof path === 'string' && typeof description === 'string') known.set(path, description)
    }
  }
  return known
}
