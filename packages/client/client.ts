/** Creates the client: credentials, exact numbers, and errors as exceptions. */
import createFetchClient, { defaultPathSerializer, type Middleware } from 'openapi-fetch'
import type { paths } from '../../generated/openapi.d.ts'
import type { Requests } from './contract.ts'
import { parseJson, toJson } from './json.ts'
import { methodsOn, type Methods } from './operations.ts'
import { sender, type Sending } from './sending.ts'
import { ServiceError } from './service-error.ts'

/** A client: a method for each operation of the contract, and one for each HTTP method. */
export type Client = Requests & Methods

/** A user name and a password. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** The options of a client. */
export interface ClientOptions extends Sending {
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** Gets the credentials of each request, in place of `username` and `password`; undefined for an anonymous one. */
  readonly credentials?: (() => Promise<Credentials | undefined>) | undefined
  /** Headers of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Reads each float in answers with many values as a `Float`, so that 5.0 differs from the int 5. */
  readonly floats?: 'wrapped' | undefined
}

export const PRIMITIVE = 'application/vnd.service.value+json'

/** The paths whose bodies are values. */
const OF_VALUES = /^\/(about|objects)\/\{\w+\}\/\{tag_path\}$/

/**
 * Creates a client of the service at `baseUrl`; without credentials, its requests are anonymous. Its methods throw a
 * `ServiceError` when the service answers with anything but a success, and a `RangeError` for a path or value that they
 * cannot send.
 */
export function createClient(baseUrl: string, options: ClientOptions = {}): Client {
  const { headers = {}, floats, username, password = '' } = options
  const client = createFetchClient<paths>({
    baseUrl,
    headers,
    fetch: sender(options),
    bodySerializer: toJson,
    pathSerializer,
  })
  const known = username === undefined ? undefined : { username, password }
  const { credentials = async () => known } = options
  client.use({
    async onRequest({ request, schemaPath, options: { bodySerializer } }) {
      const user = await credentials()
      if (user) request.headers.set('Authorization', basic(user))
      // openapi-fetch sets application/json, with which the service would store an opaque value.
      if (OF_VALUES.test(schemaPath) && bodySerializer === toJson && request.method === 'PUT') {
        request.headers.set('Content-Type', PRIMITIVE)
      }
    },
    onResponse: (answered) => read(answered, floats === 'wrapped'),
  })
  const requests = client as unknown as Requests
  return Object.assign(requests, methodsOn(requests))
}

const basic = ({ username, password }: Credentials): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`)))}`

type Answered = Parameters<NonNullable<Middleware['onResponse']>>[0]

/** Throws errors, and parses JSON exactly. */
async function read(
  { request, response, options, schemaPath }: Answered,
  wrapsFloats: boolean,
): Promise<Response | undefined> {
  if (!response.ok) throw new ServiceError(response)
  if (request.method === 'HEAD' || response.status === 204) return undefined
  const { status } = response
  const headers = new Headers(response.headers)
  if (options.parseAs !== 'json') {
    // With a Content-Length of 0, openapi-fetch would return no data instead of empty data.
    if (headers.get('content-length') !== '0') return undefined
    headers.delete('content-length')
    return new Response('', { status, headers })
  }
  if (OF_VALUES.test(schemaPath) && !response.headers.has('x-service-type')) {
    throw new TypeError(`${response.headers.get('content-type') ?? ''} is an opaque value: use readValue`)
  }
  const text = await response.text()
  // With a Content-Length, openapi-fetch calls `json`. Without one it would parse the text itself and lose digits.
  headers.set('Content-Length', String(text.length))
  const exact = new Response(text, { status, headers })
  return Object.defineProperty(exact, 'json', { value: async () => parseJson(text, wrapsFloats) })
}

/** URL parsers remove the segments `.` and `..`, also when encoded, so the request would go to another path. */
function pathSerializer(path: string, parameters: Record<string, unknown>): string {
  const isLost = (entry: [string, unknown]): entry is [string, string] =>
    entry[1] === '.' || entry[1] === '..'
  const [name, lost] = Object.entries(parameters).find(isLost) ?? []
  if (lost === undefined) return defaultPathSerializer(path, parameters)
  const remedy =
    name === 'about_value'
      ? 'POST /objects returns the id of the object with that about value'
      : 'no user and no namespace has that name'
  throw new RangeError(`${lost} cannot be used in a path; ${remedy}`)
}
