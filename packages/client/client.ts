/** Creates the client: the types of the contract, credentials, exact numbers, and errors as exceptions. */
import createFetchClient, {
  defaultPathSerializer,
  type Client as FetchClient,
  type Middleware,
} from 'openapi-fetch'
import type { components, paths } from '../../generated/openapi.d.ts'
import { parseJson, toJson } from './json.ts'
import { ServiceError } from './service-error.ts'

export type Schemas = Exact<components['schemas']>

/** The types of the contract, with bigints for ints of 64 bits. */
type Exact<T> = [components['schemas']['PrimitiveValue']] extends [T]
  ? T | bigint
  : T extends object
    ? { [K in keyof T]: Exact<T[K]> }
    : T

/** A client. It has the methods of openapi-fetch, one for each HTTP method. */
export type Client = FetchClient<Exact<paths>>

export const PRIMITIVE = 'application/vnd.service.value+json'

/** The paths whose bodies are values. */
const OF_VALUES = /^\/(about|objects)\/\{\w+\}\/\{tag_path\}$/

/**
 * Creates a client of the service at `baseUrl`; without a user name, its requests are anonymous. Its methods throw a
 * `ServiceError` when the service answers with an error, and a `RangeError` for a path or value that they cannot send.
 */
export function createClient(baseUrl: string, username?: string, password = ''): Client {
  const client = createFetchClient<Exact<paths>>({ baseUrl, bodySerializer: toJson, pathSerializer })
  const credentials = btoa(String.fromCharCode(...new TextEncoder().encode(`${username ?? ''}:${password}`)))
  client.use({
    onRequest({ request, schemaPath, options }) {
      if (username !== undefined) request.headers.set('Authorization', `Basic ${credentials}`)
      // openapi-fetch sets application/json, with which the service would store an opaque value.
      if (OF_VALUES.test(schemaPath) && options.bodySerializer === toJson && request.method === 'PUT') {
        request.headers.set('Content-Type', PRIMITIVE)
      }
    },
    onResponse,
  })
  return client
}

/** Throws errors, and parses JSON exactly. */
const onResponse: NonNullable<Middleware['onResponse']> = async ({ request, response, options }) => {
  if (response.status >= 400) throw new ServiceError(response)
  if (options.parseAs !== 'json' || request.method === 'HEAD' || response.status === 204) return undefined
  const text = await response.text()
  if (text === '') return undefined
  // With a Content-Length, openapi-fetch calls `json`. Without one it would parse the text itself and lose digits.
  const headers = new Headers(response.headers)
  headers.set('Content-Length', String(text.length))
  const exact = new Response(text, { status: response.status, headers })
  return Object.defineProperty(exact, 'json', { value: async () => parseJson(text) })
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
