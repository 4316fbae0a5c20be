/** Reads the names in an archive and in a store, and checks whether the archive can go into the store. */
import type { Connection } from '../connection/connect.ts'
import { Failure } from '../../common/failure.ts'
import { Digest } from './digest.ts'
import { readArchive } from './archive-records.ts'
import { pathsOf, usersOf } from './store-records.ts'

export interface Names {
  readonly users: ReadonlySet<string>
  readonly namespaces: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
}

/** Reads a whole archive, and returns its names and its digest. Throws a `Failure` as `readArchive` does. */
export async function namesIn(file: string): Promise<{ readonly names: Names; readonly digest: Digest }> {
  const names = { users: new Set<string>(), namespaces: new Set<string>(), tags: new Set<string>() }
  const digest = new Digest()
  for await (const record of readArchive(file)) {
    digest.add(record)
    if ('user' in record) names.users.add(record.user)
    else if ('namespace' in record) names.namespaces.add(record.namespace)
    else if ('tag' in record) names.tags.add(record.tag)
  }
  return { names, digest }
}

/** Reads the names in a store. */
export async function namesOf(connection: Connection): Promise<Names> {
  const users = await Array.fromAsync(usersOf(connection), ({ user }) => user)
  const namespaces = await Array.fromAsync(pathsOf(connection, 'namespace'), ({ path }) => path)
  const tags = await Array.fromAsync(pathsOf(connection, 'tag'), ({ path }) => path)
  return { users: new Set(users), namespaces: new Set(namespaces), tags: new Set(tags) }
}

/** The service creates this namespace with each user, so the store may have it although the archive does not. */
export const privateOf = (user: string): string => `${user}/private`

/** Throws a `Failure` if a store has a user, a namespace or a tag that the archive does not have. */
export function checkNothingElse(present: Names, names: Names): void {
  const privates = new Set([...names.users].map(privateOf))
  const without = (some: ReadonlySet<string>, these: ReadonlySet<string>): string[] =>
    [...some].filter((one) => !these.has(one))
  const others = [
    ...without(present.users, names.users).map((name) => `the user ${name}`),
    ...without(present.tags, names.tags).map((path) => `the tag ${path}`),
    ...without(present.namespaces, names.namespaces)
      .filter((path) => !privates.has(path))
      .map((path) => `the namespace ${path}`),
  ]
  const [first] = others
  if (first === undefined) return
  const more = others.length > 1 ? ` and ${(others.length - 1).toLocaleString('en')} more` : ''
  throw new Failure(
    `the store has ${first}${more}, which the archive does not have: nothing was changed`,
    'import into an empty store',
  )
}
