/** Creates the missing users, namespaces and tags of an archive, and changes those that differ. */
import { randomBytes } from 'node:crypto'
import type { Connection } from '../connection/connect.ts'
import { Failure } from '../../common/failure.ts'
import { privateOf, type Names } from './names.ts'
import { namespacePolicies, setPolicies, tagPolicies } from './permissions.ts'
import type { NamespaceRecord, TagRecord, UserRecord } from '../../src/copy/records.ts'
import { pathsOf, usersOf } from './store-records.ts'

type Descriptions = ReadonlyMap<string, string | undefined>

/**
 * Writes users, namespaces and tags in the order of an archive: users, then namespaces (each before those in it), then
 * tags.
 */
export class ThingWriter {
  readonly newUsers: string[] = []
  readonly #connection: Connection
  /** The users, namespaces and tags that the store had before the first write of each kind. */
  #users: Promise<ReadonlyMap<string, UserRecord>> | undefined
  #namespaces: Promise<Descriptions> | undefined
  #tags: Promise<Descriptions> | undefined
  /**
   * Roles to set at the end. Policies cannot name superusers, but policies of the archive may name users who are
   * superusers now.
   */
  readonly #roles = new Map<string, string>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async user(record: UserRecord): Promise<void> {
    this.#users ??= usersByName(this.#connection)
    const { user, role } = record
    const present = (await this.#users).get(user)
    const { client } = this.#connection
    if (present === undefined) {
      const password = randomBytes(32).toString('base64url')
      await client.POST('/users', { body: { username: user, password, ...detailsOf(record) } })
      this.newUsers.push(user)
    } else if (JSON.stringify(detailsOf(present)) !== JSON.stringify(detailsOf(record))) {
      await client.PUT('/users/{username}', { params: { path: { username: user } }, body: detailsOf(record) })
    }
    if (role !== undefined && role !== (present?.role ?? 'user')) this.#roles.set(user, role)
  }

  async namespace({ namespace, description = '', permissions }: NamespaceRecord): Promise<void> {
    this.#namespaces ??= descriptionsOf(this.#connection, 'namespace')
    const present = await this.#namespaces
    const { client } = this.#connection
    if (!present.has(namespace)) {
      const { parent, name } = divided(namespace)
      await client.POST('/namespaces/{namespace_path}', {
        params: { path: { namespace_path: parent } },
        body: { name, description },
      })
    } else if (present.get(namespace) !== description) {
      const path = { namespace_path: namespace }
      await client.PUT('/namespaces/{namespace_path}', { params: { path }, body: { description } })
    }
    await setPolicies(client, namespace, await namespacePolicies(client, namespace), permissions)
  }

  async tag({ tag, description = '', indexed, permissions }: TagRecord): Promise<void> {
    this.#tags ??= descriptionsOf(this.#connection, 'tag')
    const present = await this.#tags
    const { client } = this.#connection
    const path = { tag_path: tag }
    if (!present.has(tag)) {
      const { parent, name } = divided(tag)
      await client.POST('/tags/{tag_path}', {
        params: { path: { tag_path: parent } },
        body: { name, description, indexed },
      })
    } else {
      await this.#checkIndexed(tag, indexed)
      if (present.get(tag) !== description) {
        await client.PUT('/tags/{tag_path}', { params: { path }, body: { description } })
      }
    }
    await setPolicies(client, tag, await tagPolicies(client, tag), permissions)
  }

  async #checkIndexed(tag: string, indexed: boolean): Promise<void> {
    const { data } = await this.#connection.client.GET('/tags/{tag_path}', {
      params: { path: { tag_path: tag } },
    })
    if (data.indexed === indexed) return
    throw new Failure(
      `the tag ${tag} is ${indexed ? 'not ' : ''}indexed here, other than in the archive, and that cannot be changed`,
      'import into an empty store',
    )
  }

  /** Sets the roles, and deletes namespaces that the service created with users but the archive does not have. */
  async finish({ users, namespaces }: Names): Promise<void> {
    const { client } = this.#connection
    const present = await descriptionsOf(this.#connection, 'namespace')
    for (const path of [...users].map(privateOf)) {
      if (namespaces.has(path) || !present.has(path)) continue
      await client.DELETE('/namespaces/{namespace_path}', { params: { path: { namespace_path: path } } })
    }
    for (const [username, role] of this.#roles) {
      await client.PUT('/users/{username}', {
        params: { path: { username } },
        body: { role: role as 'user' },
      })
    }
  }
}

const detailsOf = ({ name, email }: UserRecord): { name?: string; email?: string } => ({
  ...(name === undefined ? {} : { name }),
  ...(email === undefined ? {} : { email }),
})

const usersByName = async (connection: Connection): Promise<ReadonlyMap<string, UserRecord>> =>
  new Map(await Array.fromAsync(usersOf(connection), (record) => [record.user, record] as const))

const descriptionsOf = async (connection: Connection, kind: 'namespace' | 'tag'): Promise<Descriptions> =>
  new Map(
    await Array.fromAsync(pathsOf(connection, kind), ({ path, description }) => [path, description] as const),
  )

function divided(path: string): { readonly parent: string; readonly name: string } {
  const cut = path.lastIndexOf('/')
  return { parent: path.slice(0, cut), name: path.slice(cut + 1) }
}
