/** Everything that a caller sees of a store, over HTTP: what an archive keeps and a digest covers. */
import { readValue, ServiceError, type Client } from '../../packages/client/index.ts'
import { SYSTEM_TAGS } from '../../src/data/store/tables.ts'
import type { Connection } from '../connection/connect.ts'
import { countOf, found, type Found } from '../connection/search.ts'
import { Failure } from '../../shared/failure.ts'
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
} from './records.ts'

/** So many namespaces or tags are asked about at a time. */
const WIDTH = 8

const KEPT_BY_SERVICE = new Set<string>(Object.values(SYSTEM_TAGS).map(({ path }) => path))

/**
 * The records of a store, in the order of an archive. Values that are written meanwhile may be in it or not: HTTP has no
 * view of the whole store.
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

/** A record with only the members that are there. */
const known = <T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never

/** The users, by name. */
export async function* usersOf(connection: Connection): AsyncGenerator<UserRecord> {
  const { username, userName, userEmail, userRole } = SYSTEM_TAGS
  const query = `has ${username.path}`
  for await (const { values } of found(connection, { query, tags: ['*'], sort: username.path })) {
    yield known({
      user: textIn(values, username) ?? '',
      name: textIn(values, userName),
      email: textIn(values, userEmail),
      role: textIn(values, userRole),
    })
  }
}

/** Paths and descriptions of all namespaces or of all tags, each path before those below it. */
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
    yield known({ namespace: path, description, permissions: {} })
  }
}

const withPermissions = async <T extends NamespaceRecord | TagRecord>(
  record: T,
  permissions: Promise<T['permissions']>,
): Promise<T> => ({ ...record, permissions: await permissions })

/** A tag; undefined if it was deleted meanwhile. */
async function tagOf(
  client: Client,
  { path, description }: { readonly path: string; readonly description: string | undefined },
): Promise<TagRecord | undefined> {
  try {
    const { data } = await client.GET('/tags/{tag_path}', { params: { path: { tag_path: path } } })
    const indexed = data?.indexed ?? true
    return await withPermissions(
      known({ tag: path, description, indexed, permissions: {} }) as TagRecord,
      tagPolicies(client, path),
    )
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

const isGone = (error: unknown): boolean => error instanceof ServiceError && error.status === 404

/** Objects with about values, and then those without, which only their values lead to. */
async function* objectsOf(connection: Connection, tags: readonly string[]): AsyncGenerator<ArchiveRecord> {
  /** On how many objects with an about value a tag is. */
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

/** The objects without an about value whose first tag this is: each tag leads to them, and they are kept once. */
async function* unnamedOf(connection: Connection, tag: string): AsyncGenerator<ArchiveRecord> {
  for await (const object of all(connection, `has ${tag}`)) {
    const [first] = Object.keys(object.values).sort()
    if (object.about === null && first === tag) yield* recordsOfObject(connection.client, object)
  }
}

/** On how many objects a tag is, as far as queries count; 0 if the caller may not read its values. */
async function holders(connection: Connection, tag: string): Promise<number> {
  try {
    return await countOf(connection, `has ${tag}`)
  } catch (error) {
    if (isRefusal(error) || isGone(error)) return 0
    if (error instanceof ServiceError && error.errorClass === 'TooManyObjects') return Infinity
    throw error
  }
}

/** All objects that a condition matches. Counting them only up to one lifts the limit on how many there may be. */
const all = (connection: Connection, query: string): AsyncGenerator<Found> =>
  found(connection, { query, tags: ['*'], count: 'upto:1' })

/** What an archive keeps of an object: not what the service itself maintains. */
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

/** An opaque value with its octets; none if it was deleted meanwhile. */
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
