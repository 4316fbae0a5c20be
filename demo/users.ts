/** The users of the demo: three owners of data, and a person. */
import { randomBytes } from 'node:crypto'
import { Client, ServerError } from './client.ts'

/** Who signs up the users of the demo, and how. */
export interface Registry {
  readonly url: string
  readonly admin: Client
  /** The password for all of them; without one each gets its own at random. */
  readonly password: string | undefined
}

/** A registry of the superuser. Throws without their password. */
export function openRegistry(url: string, env: Readonly<Record<string, string | undefined>>): Registry {
  const { ADMIN_PASSWORD: adminPassword, DEMO_PASSWORD: password } = env
  if (!adminPassword) {
    throw new Error(
      'Set ADMIN_PASSWORD to the password of the superuser service: the demo creates its own users.',
    )
  }
  return { url, admin: new Client(url, 'service', adminPassword), password: password || undefined }
}

/** Creates a user, or gives the one of an earlier run a new password: nobody signs in as an owner of data but the demo. */
export async function signUp({ url, admin, password }: Registry, username: string): Promise<Client> {
  const given = password ?? randomPassword()
  if (!(await created(admin, username, given))) {
    await admin.request('PUT', `/users/${username}`, { password: given })
  }
  return new Client(url, username, given)
}

/** A person, and the password that they can sign in with; undefined if they keep one that the demo does not know. */
export interface Person {
  readonly client: Client
  readonly password: string | undefined
}

/** Creates a person. One who is there may be somebody's own, and keeps their password: the superuser writes for them then. */
export async function signUpPerson(registry: Registry, username: string): Promise<Person> {
  const { url, admin, password } = registry
  if (password !== undefined) return { client: await signUp(registry, username), password }
  const given = randomPassword()
  return (await created(admin, username, given))
    ? { client: new Client(url, username, given), password: given }
    : { client: admin, password: undefined }
}

const randomPassword = (): string => randomBytes(15).toString('base64url')

/** Whether there was no such user yet. */
async function created(admin: Client, username: string, password: string): Promise<boolean> {
  try {
    await admin.request('POST', '/users', { username, password })
    return true
  } catch (error) {
    if (!(error instanceof ServerError)) throw error
    // Only the 401 for wrong credentials has no error class.
    if (error.status === 401 && error.errorClass === null) {
      throw new Error('ADMIN_PASSWORD is not the password of the superuser service.', { cause: error })
    }
    if (error.errorClass !== 'TUserAlreadyExists') throw error
    return false
  }
}
