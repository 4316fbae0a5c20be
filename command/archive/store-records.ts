/** Reads over HTTP all data of a store that the caller may see. Archives and digests use it. */
import { readValue, ServiceError, type Client } from '../../packages/client/index.ts'
import { SYSTEM_TAGS } from '../../src/data/store/tables.ts'
import type { Connection } from '../connection/connect.ts'
import { countOf, found, type Found } from '../connection/search.ts'
import { Failure } from '../../common/failure.ts'
import { mapped } from './parallel.ts'
import { isRefusal, namespacePolicies, tagPolicies } from './permissions.ts'
import type {
  ArchiveRecord,
  NamespaceRecord,
  ObjectName,
  OpaqueRecord,
  Primitive,
  TagRecord,
  UserRecord,
} from '../../src/copy/records.ts'

/** The number of namespaces or tags in concurrent requests. */
const WIDTH = 8

/** The tags whose values the service itself maintains. */
export const KEPT_BY_SERVICE = new Set<string>(Object.values(SYSTEM_TAGS).map(({ path }) => path))

/**
 * Yields the records of a store, in the order of an archive. The result may or may not contain values that other users
 * write meanwhile, because HTTP gives no snapshot of the whole store.
 */
export async function* recordsOf(connection: Connection): AsyncGenerator<ArchiveRecord> {
  yield* usersOf(connection)
  yield* mapped(namespacesOf(connection), WIDTH, (record) =>
    withPermissions(record, namespacePolicies(connection.client, record.namespace)),
  )
  const tags: string[] = []
  for await (const tag of mapped(pathsOf(connection, 'tag'), WIDTH, (one) => tagOf(connection.client, one))) {
    if (tag === undefined) continue
    tags.push(tag.tag)
    yield tag
  }
  yield* objectsOf(connection, tags)
}

const textIn = (values: Found['values'], tag: { readonly path: string }): string | undefined => {
  const entry = values[tag.path]
  return entry !== undefined && 'value' in entry ? (entry.value as string) : undefined
}

/** The users, by name. */
export async function* usersOf(connection: Connection): AsyncGenerator<UserRecord> {
  const { username, userName, userEmail, userRole } = SYSTEM_TAGS
  const query = `has ${username.path}`
  for await (const { values } of found(connection, { query, tags: ['*'], sort: username.path })) {
    yield {
      user: textIn(values, username) ?? '',
      name: textIn(values, userName),
      email: textIn(values, userEmail),
      role: textIn(values, userRole),
    }
  }
}

/** Yields paths and descriptions of all namespaces or all tags, each path before the paths below it. */
export async function* pathsOf(
  connection: Connection,
  kind: 'namespace' | 'tag',
): AsyncGenerator<{ readonly path: string; readonly description: string | undefined }> {
  const { path, description } =
    kind === 'tag'
      ? { path: SYSTEM_TAGS.tagPath, description: SYSTEM_TAGS.tagDescription }
      : { path: SYSTEM_TAGS.namespacePath, description: SYSTEM_TAGS.namespaceDescription }
  const query = `has ${path.path}`
  for await (const { values } of found(connection, { query, tags: ['*'], sort: path.path })) {
    yield { path: textIn(values, path) ?? '', description: textIn(values, description) }
  }
}

async function* namespacesOf(connection: Connection): AsyncGenerator<NamespaceRecord> {
  for await (const { path, description } of pathsOf(connection, 'namespace')) {
    yield { namespace: path, description, permissions: {} }
  }
}

const withPermissions = async <T extends NamespaceRecord | TagRecord>(
  record: T,
  permissions: Promise<T['permissions']>,
): Promise<T> => ({ ...record, permissions: await permissions })

/** Reads a tag; returns undefined if another user deleted it meanwhile. */
async function tagOf(
  client: Client,
  { path, description }: { readonly path: string; readonly description: string | undefined },
): Promise<TagRecord | undefined> {
  try {
    const { data } = await client.GET('/tags/{tag_path}', { params: { path: { tag_path: path } } })
    return await withPermissions(
      { tag: path, description, indexed: data.indexed, permissions: {} },
      tagPolicies(client, path),
    )
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

const isGone = (error: unknown): boolean => error instanceof ServiceError && error.status === 404

/** Yields objects with about values, and then objects without; it finds the latter only through their values. */
async function* objectsOf(connection: Connection, tags: readonly string[]): AsyncGenerator<ArchiveRecord> {
  /** The number of objects with an about value, by tag. */
  const seen = new Map<string, number>()
  const query = `${SYSTEM_TAGS.about.path} >= ""`
  for await (const object of all(connection, query)) {
    for (const tag of Object.keys(object.values)) seen.set(tag, (seen.get(tag) ?? 0) + 1)
    yield* recordsOfObject(connection.client, object)
  }
  for (const tag of tags) {
    if (KEPT_BY_SERVICE.has(tag) || (await holders(connection, tag)) === (seen.get(tag) ?? 0)) continue
    yield* unnamedOf(connection, tag)
  }
}

/**
 * Yields the objects without an about value whose first tag, in sorted order, is this one, so that each object comes
 * once.
 */
async function* unnamedOf(connection: Connection, tag: string): AsyncGenerator<ArchiveRecord> {
  for await (const object of all(connection, `has ${tag}`)) {
    const [first] = Object.keys(object.values).sort()
    if (object.about === null && first === tag) yield* recordsOfObject(connection.client, object)
  }
}

/** The number of objects that have a tag, as queries count them; 0 if the caller may not read its values. */
async function holders(connection: Connection, tag: string): Promise<number> {
  try {
    return await countOf(connection, `has ${tag}`)
  } catch (error) {
    if (isRefusal(error) || isGone(error)) return 0
    if (error instanceof ServiceError && error.errorClass === 'TooManyObjects') return Infinity
    throw error
  }
}

/**
 * Yields all objects that a condition matches. A `count` with an upper limit lifts the limit on the number of matches.
 */
const all = (connection: Connection, query: string): AsyncGenerator<Found> =>
  found(connection, { query, tags: ['*'], count: 'upto:1' })

/** Yields the records of an object, without the values that the service itself maintains. */
async function* recordsOfObject(client: Client, object: Found): AsyncGenerator<ArchiveRecord> {
  const name: ObjectName = object.about === null ? { id: object.id } : { about: object.about }
  const values: Record<string, Primitive> = {}
  const opaque: string[] = []
  for (const [tag, entry] of Object.entries(object.values)) {
    if (KEPT_BY_SERVICE.has(tag)) continue
    if ('value' in entry) values[tag] = entry.value
    else opaque.push(tag)
  }
  yield { object: name, values }
  for (const tag of opaque) yield* opaqueOf(client, object.id, name, tag)
}

/** Yields an opaque value with its octets; nothing if another user deleted it meanwhile. */
async function* opaqueOf(
  client: Client,
  id: string,
  object: ObjectName,
  opaque: string,
): AsyncGenerator<OpaqueRecord> {
  try {
    const value = await readValue(client, { id, tag: opaque })
    if (value.type === 'opaque') {
      yield { opaque, object, type: value.contentType, octets: Buffer.from(value.bytes.buffer) }
      return
    }
  } catch (error) {
    if (isGone(error)) return
    throw error
  }
  throw new Failure(`the value of ${opaque} on ${id} changed while it was read`, 'run it again')
}
