/** For each operation that writes, reads back what a success must have stored and compares it exactly. */
import { isDeepStrictEqual } from 'node:util'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { THING } from '../support/fixture.ts'
import type { Answer } from '../support/service.ts'
import { rawRequest, type Plan } from './plan.ts'
import { basic, type Connection } from './connection.ts'

type Fields = Record<string, string>
type Check = (reader: Reader, plan: Plan, answer: Answer) => Promise<void>

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
const folded = (path: string): string => path.replace(/^[^/]*/, (name) => name.toLowerCase())
/** An empty string at the end of a path leaves a trailing slash, which is ignored. */
const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/** Reads over a connection and compares; throws on a difference. */
class Reader {
  readonly #connection: Connection
  readonly #headers: Fields

  constructor(connection: Connection, headers: Fields = {}) {
    this.#connection = connection
    this.#headers = headers
  }

  async get(target: string, authorization: string = basic('service')): Promise<Answer> {
    const headers = { Authorization: authorization, ...this.#headers }
    const answer = await this.#connection.request({ method: 'GET', target, headers })
    if (answer.status === 200) return answer
    throw new Error(`${target} gives ${String(answer.status)} ${answer.error ?? ''} after a success`)
  }

  async same(target: string, property: string, expected: unknown): Promise<void> {
    const { [property]: actual } = (await this.get(target)).json() as Record<string, unknown>
    if (isDeepStrictEqual(actual, expected)) return
    throw new Error(`${property} of ${target} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`)
  }
}

const createdObject =
  (about: (plan: Plan) => string | null): Check =>
  async (reader, plan, answer) => {
    const { id } = answer.json() as Fields
    await reader.same(`/objects/${id ?? ''}?showAbout=true`, 'about', about(plan))
    located(answer, `/objects/${id ?? ''}`)
  }

function located(answer: Answer, path: string): void {
  const location = answer.headers['location'] ?? ''
  if (location.endsWith(path) && location.startsWith('http://')) return
  throw new Error(`Location is ${location}, which does not end in ${path}`)
}

const created =
  (kind: 'namespaces' | 'tags', parent: string): Check =>
  async (reader, { params, json }, answer) => {
    const { name = '', description } = json as Fields
    const path = `/${kind}/${encodePath(folded(`${withoutSlash(params[parent] ?? '')}/${name}`))}`
    await reader.same(`${path}?returnDescription=true`, 'description', description)
    located(answer, path)
  }

const described =
  (kind: 'namespaces' | 'tags', parameter: string): Check =>
  (reader, { params, json }) =>
    reader.same(
      `/${kind}/${encodePath(params[parameter] ?? '')}?returnDescription=true`,
      'description',
      (json as Fields)['description'],
    )

/** What has moved is at its new path. */
const moved: Check = async (reader, { json }) => {
  const { tag, to = '' } = json as Fields
  await reader.get(`/${tag === undefined ? 'namespaces' : 'tags'}/${encodePath(to)}`)
}

const permitted: Check = async (reader, plan) => {
  const { target } = rawRequest(plan)
  const { policy, exceptions } = plan.json as { policy: string; exceptions: string[] }
  await reader.same(target, 'policy', policy)
  await reader.same(target, 'exceptions', [...new Set(exceptions.map((name) => name.toLowerCase()))].sort())
}

/** The longest password, in octets, that fits in a header. */
const MOST_SENDABLE = 40_000

const user: Check = async (reader, { params, json }) => {
  const { username = params['username'] ?? '', password, name, email } = json as Fields
  const path = `/users/${encodeURIComponent(username)}`
  if (name !== undefined) await reader.same(path, 'name', name)
  if (email !== undefined) {
    const about = encodeURIComponent(`@${username.toLowerCase()}`)
    const read = await reader.get(`/about/${about}/service/users/email`)
    if (read.json() !== email) throw new Error(`the email is ${read.body.toString()}`)
  }
  // A longer one does not fit in a header.
  if (password !== undefined && Buffer.byteLength(password) < MOST_SENDABLE)
    await reader.get(path, basic(username, password))
}

const stored: Check = async (reader, plan) => {
  const { target, headers = {} } = rawRequest(plan)
  await sameValue(await reader.get(target), headers['Content-Type'] ?? '', plan.value ?? Buffer.alloc(0))
}

async function sameValue(answer: Answer, contentType: string, bytes: Buffer): Promise<void> {
  const primitive = /^application\/vnd\.service\.value\+json[ \t]*(;|$)/i.test(contentType)
  const type = primitive ? PRIMITIVE_MEDIA_TYPE : contentType.trim()
  const same = primitive
    ? isDeepStrictEqual(answer.json(), JSON.parse(bytes.toString()))
    : answer.body.equals(bytes)
  if (same && answer.headers['content-type'] === type) return
  throw new Error(
    `${type} ${bytes.toString()} came back as ${answer.headers['content-type'] ?? ''} ${answer.body.toString()}`,
  )
}

const bulk: Check = async (reader, { json }) => {
  const { queries } = json as { queries: [string, Record<string, { value: unknown }>][] }
  for (const [query, values] of queries) {
    if (query !== `service/id = "${THING}"`) continue
    for (const [path, { value }] of Object.entries(values)) {
      const read = (await reader.get(`/objects/${THING}/${encodePath(path)}`)).json()
      if (!isDeepStrictEqual(read, value))
        throw new Error(`${JSON.stringify(value)} is ${JSON.stringify(read)}`)
    }
  }
}

const CHECKS: Readonly<Record<string, Check>> = {
  createObjectByAbout: createdObject(({ params }) => params['about_value'] ?? null),
  createObject: createdObject(({ json }) => (json as Fields)['about'] ?? null),
  createNamespace: created('namespaces', 'namespace_path'),
  createTag: created('tags', 'tag_path'),
  movePath: moved,
  putNamespace: described('namespaces', 'namespace_path'),
  putTag: described('tags', 'tag_path'),
  putNamespacePermission: permitted,
  putTagPermission: permitted,
  putTagValuePermission: permitted,
  createUser: user,
  putUser: user,
  putValue: stored,
  putValueByAbout: stored,
  putValues: bulk,
}

/** The ids of the operations whose writes are read back. */
export const CHECKED = Object.keys(CHECKS)

/** Reads back what a successful write has stored. Throws if it differs from what was sent. */
export async function readBack(
  connection: Connection,
  plan: Plan,
  answer: Answer,
  headers: Fields = {},
): Promise<void> {
  await CHECKS[plan.operation.operationId]?.(new Reader(connection, headers), plan, answer)
}
