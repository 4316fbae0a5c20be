/** Reads and changes users. */
import { cellText } from '../../../common/values.ts'
import { quoted } from '../query/compose.ts'
import type { Found } from '../service/page.ts'
import { fetchPage } from '../service/search.ts'
import { client, user } from '../service/service.ts'

/** A user in an answer of the service. */
export interface Person {
  readonly username: string
  readonly name: string
  readonly role: string
  /** Undefined if the current user may not read it. */
  readonly email: string | undefined
}

/** The members to change; undefined ones remain. */
export type PersonChange = Readonly<Partial<Record<'name' | 'email' | 'password', string>>> & {
  readonly role?: 'superuser' | 'user'
}

/** The number of users on one page of the list. */
export interface People {
  readonly people: readonly Person[]
  readonly count: number | undefined
  readonly next: string | undefined
}

const TAG = (name: string): string => `service/users/${name}`

/** Only superusers may read e-mail addresses. */
const columns = (): string[] =>
  ['username', 'name', 'role', ...(user.value?.isSuperuser ? ['email'] : [])].map(TAG)

/** The users whose user name or name has a word that begins with `find`; without it, all. Throws a `ServiceError`. */
export async function fetchPeople(
  find: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<People> {
  const words = `matches ${quoted(`${find}*`)}`
  const query =
    find === '' ? `has ${TAG('username')}` : `${TAG('username')} ${words} or ${TAG('name')} ${words}`
  const page = await fetchPage(
    { query, columns: columns(), sort: TAG('username'), cursor, limit: 50, count: 'exact' },
    signal,
  )
  return { people: page.results.map(personOf), count: page.count, next: page.next }
}

/** One user. Throws a `ServiceError`, also if the user does not exist. */
export async function fetchPerson(username: string, signal: AbortSignal): Promise<Person> {
  await client().GET('/users/{username}', { params: { path: { username } }, signal })
  const query = `${TAG('username')} = ${quoted(username.toLowerCase())}`
  const { results } = await fetchPage({ query, columns: columns(), limit: 1 }, signal)
  return personOf(results[0] ?? { id: '', about: null, values: {} })
}

function personOf({ values }: Found): Person {
  const text = (name: string): string => cellText(values[TAG(name)])
  return {
    username: text('username'),
    name: text('name'),
    role: text('role'),
    email: user.value?.isSuperuser ? text('email') : undefined,
  }
}

/** Creates a user. Throws a `ServiceError`. */
export async function createPerson(
  username: string,
  { name, email, password = '' }: PersonChange,
): Promise<void> {
  await client().POST('/users', {
    body: { username, password, ...(name && { name }), ...(email && { email }) },
  })
}

/** Changes a user. Throws a `ServiceError`. */
export async function changePerson(username: string, body: PersonChange): Promise<void> {
  await client().PUT('/users/{username}', { params: { path: { username } }, body })
}

/** Deletes a user with their namespace. Throws a `ServiceError`. */
export async function deletePerson(username: string): Promise<void> {
  await client().DELETE('/users/{username}', { params: { path: { username } } })
}
