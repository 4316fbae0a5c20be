/** One service for all tests of a file, with short ways to send requests to it. */
import { afterAll, beforeAll } from '@jest/globals'
import { startService, type Answer, type Options, type Service } from '../support/service.ts'

export type Ask = (method: string, path: string, options?: Options) => Promise<Answer>

/** What these tests use of a service. */
export interface Session {
  /** Sends a request. */
  readonly request: Ask
  /** Sends a request that must succeed. */
  readonly ok: Ask
  /** The status and error class of the answer. */
  readonly status: (method: string, path: string, options?: Options) => Promise<string>
  /** The JSON of a GET. */
  readonly get: (path: string, options?: Options) => Promise<unknown>
  /** The ids of the objects that a query matches. */
  readonly find: (query: string, as?: string) => Promise<string[]>
  /** Puts a primitive value, given as JSON text, at the path of a value; as alice by default. */
  readonly put: (path: string, text: string, as?: string) => Promise<Answer>
  /** The id of the object with this about value, which is created if it is missing. */
  readonly about: (value: string) => Promise<string>
}

/** Starts a service before the tests of the calling file, and stops it after them. */
export function useService(env?: Readonly<Record<string, string>>): Session {
  let service: Service | undefined
  beforeAll(async () => {
    service = await startService(env)
  })
  afterAll(() => service?.stop())
  const running = (): Service => {
    if (service === undefined) throw new Error('the service did not start')
    return service
  }
  const request: Ask = (method, path, options) => running().request(method, path, options)
  const ok: Ask = (method, path, options) => running().ok(method, path, options)
  const get = async (path: string, options?: Options): Promise<unknown> =>
    (await ok('GET', path, options)).json()
  return {
    request,
    ok,
    get,
    status: async (method, path, options) => {
      const { status, error } = await request(method, path, options)
      return error === undefined ? String(status) : `${String(status)} ${error}`
    },
    find: async (query, as = 'alice') =>
      ((await get('/objects', { as, query: { query } })) as { ids: string[] }).ids,
    put: (path, text, as = 'alice') => ok('PUT', path, { as, primitive: text }),
    about: async (value) => {
      const answer = await ok('POST', `/about/${encodeURIComponent(value)}`, { as: 'alice' })
      return (answer.json() as { id: string }).id
    },
  }
}
