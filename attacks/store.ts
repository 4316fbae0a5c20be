/** Fills the store under attack. It does so over HTTP, so that every checkout uses its own schema. */
import { basic, HttpClient } from '../bench/http.ts'
import { ADMIN_PASSWORD } from '../bench/processes.ts'

/** The size of the store. */
export interface Contents {
  /** The number of objects with a readable number; half as many have a second one. */
  readonly objects: number
  /** The number of tags per object that only their owner may read. */
  readonly closedTags: number
}

export const FULL: Contents = { objects: 60_000, closedTags: 11 }
export const SMALL: Contents = { objects: 6_000, closedTags: 11 }

/** The users. `aron` has half as many unreadable values as `alice`. */
const USERS = ['alice', 'aron', 'bob', 'mallory']

export const credentials = (user: string): Record<string, string> => basic(user, `password of ${user}`)

/** The tag with a number on `size` objects: on all objects, or on half of them. */
export const numbersOf = (size: number, { objects }: Contents): string =>
  size > objects / 2 ? 'alice/numbers/all' : 'alice/numbers/half'

/** The user with about `size` values that other users may not read. */
export const ownerOf = (size: number, { objects, closedTags }: Contents): string =>
  size > (objects * closedTags) / 2 ? 'alice' : 'aron'

/** A value that every user may read, and its path. */
export const CHEAP = '/about/bystander/bob/cheap'
/** An opaque value of nearly 16 MiB that every user may read. */
export const LARGE = '/about/large/alice/large'
const LARGE_OCTETS = 16_000_000

export const PRIMITIVE = { 'Content-Type': 'application/vnd.service.value+json' }
export const JSON_BODY = { 'Content-Type': 'application/json' }

const CONNECTIONS = 32

/** Fills the empty store of a running service. */
export async function fill(port: number, { objects, closedTags }: Contents): Promise<void> {
  const client = new HttpClient(port)
  const put = async (user: string, path: string, body: string | Buffer, type = PRIMITIVE): Promise<void> => {
    const { status } = await client.send('PUT', path, { body, headers: { ...credentials(user), ...type } })
    if (status !== 204) throw new Error(`PUT ${path} gave ${status}`)
  }
  const close = (user: string, path: string): Promise<void> =>
    put(
      user,
      `/permissions/namespaces/${path}?action=list`,
      JSON.stringify({ policy: 'closed', exceptions: [user] }),
      JSON_BODY,
    )
  try {
    await makeUsers(client)
    await put('bob', CHEAP, '1')
    await put('alice', LARGE, Buffer.alloc(LARGE_OCTETS), { 'Content-Type': 'application/octet-stream' })
    await inParallel(objects, async (i) => {
      await put('alice', `/about/${i}/alice/numbers/all`, String(i))
      if (i < objects / 2) await put('alice', `/about/${i}/alice/numbers/half`, String(i))
    })
    for (const user of ['alice', 'aron']) {
      await put(user, `/about/0/${user}/closed/first`, '1')
      await close(user, `${user}/closed`)
    }
    await putClosed(put, 'alice', 'has alice/numbers/all', closedTags)
    await putClosed(put, 'aron', 'has alice/numbers/half', closedTags)
  } finally {
    client.close()
  }
}

async function makeUsers(client: HttpClient): Promise<void> {
  const headers = { ...basic('service', ADMIN_PASSWORD), ...JSON_BODY }
  for (const username of USERS) {
    const body = JSON.stringify({ username, password: `password of ${username}` })
    const { status } = await client.send('POST', '/users', { body, headers })
    if (status !== 201) throw new Error(`POST /users gave ${status}`)
  }
}

/** Writes values that only the user may read on all objects that a query finds. */
async function putClosed(
  put: (user: string, path: string, body: string, type: typeof JSON_BODY) => Promise<void>,
  user: string,
  query: string,
  tags: number,
): Promise<void> {
  const paths = Array.from({ length: tags }, (_, i) => `${user}/closed/tag${i}`)
  const values = Object.fromEntries(paths.map((path) => [path, { value: 1 }]))
  await put(user, '/values', JSON.stringify({ queries: [[query, values]] }), JSON_BODY)
  for (const path of paths) {
    const body = JSON.stringify({ policy: 'closed', exceptions: [user] })
    await put(user, `/permissions/tag-values/${path}?action=read`, body, JSON_BODY)
  }
}

/** Runs work for each number below `count`, some of it concurrently. */
async function inParallel(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) await work(i)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}
