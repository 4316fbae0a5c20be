/**
 * A typed client of Gloss: openapi-fetch with the generated types, plus what these cannot do: tag values, whose content
 * type and number literals matter, and errors, which are only in headers.
 */
import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import type { paths } from '../../generated/openapi.d.ts'

export type Client = FetchClient<paths>

/** The place of a value: an object, by its id or about value, and the path of a tag. */
export type Slot =
  { readonly id: string; readonly tag: string } | { readonly about: string; readonly tag: string }

/** A primitive value to write: bigints and whole numbers become ints, other numbers floats. */
export type Primitive = null | boolean | number | bigint | string | readonly string[]

/** A value that was read. An int beyond 2^53 is a bigint, every other number a number. */
export type Value =
  | {
      readonly type: 'null' | 'boolean' | 'int' | 'float' | 'string' | 'list-of-strings'
      readonly value: Primitive
    }
  | { readonly type: 'opaque'; readonly contentType: string; readonly bytes: Uint8Array<ArrayBuffer> }

/** An answer with a status of 400 or more. */
export class ServiceError extends Error {
  readonly status: number
  /** The class of the error; undefined for wrong credentials. */
  readonly errorClass: string | undefined
  /** The facts, by the end of their header's name in lower case: `path`, `action`, `request-id`, … */
  readonly facts: Readonly<Record<string, string>>

  constructor(response: Response) {
    const facts = Object.fromEntries(
      [...response.headers]
        .filter(([name]) => name.startsWith(PREFIX))
        .map(([name, value]) => [name.slice(PREFIX.length), decode(value)]),
    )
    const named = [response.status, facts['error-class']].filter(Boolean).join(' ')
    super([named, facts['message']].filter(Boolean).join(': '))
    this.status = response.status
    this.errorClass = facts['error-class']
    this.facts = facts
  }
}

const PREFIX = 'x-service-'
const PRIMITIVE = 'application/vnd.service.value+json'

/** Decodes a fact. A long one may have been cut in the middle of a character. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/**
 * Creates a client of the service at `baseUrl`; without a user name, its requests are anonymous. It has all methods of
 * openapi-fetch, which throw a `ServiceError` when the service answers with an error.
 */
export function createClient(baseUrl: string, username?: string, password = ''): Client {
  const client = createFetchClient<paths>({ baseUrl })
  const credentials = btoa(String.fromCharCode(...new TextEncoder().encode(`${username ?? ''}:${password}`)))
  client.use({
    onRequest({ request }) {
      if (username !== undefined) request.headers.set('Authorization', `Basic ${credentials}`)
    },
    onResponse({ response }) {
      if (response.status >= 400) throw new ServiceError(response)
    },
  })
  return client
}

/** Reads a value of any type. */
export async function readValue(client: Client, slot: Slot): Promise<Value> {
  const parseAs = 'arrayBuffer'
  const { data, response } =
    'id' in slot
      ? await client.GET('/objects/{object_id}/{tag_path}', { params: { path: ofObject(slot) }, parseAs })
      : await client.GET('/about/{about_value}/{tag_path}', { params: { path: ofAbout(slot) }, parseAs })
  const bytes = new Uint8Array(data ?? new ArrayBuffer())
  const type = response.headers.get('x-service-type') as Exclude<Value['type'], 'opaque'> | null
  if (type === null) return { type: 'opaque', contentType: response.headers.get('content-type') ?? '', bytes }
  const text = new TextDecoder().decode(bytes)
  const value = JSON.parse(text) as Primitive
  return { type, value: type === 'int' && !Number.isSafeInteger(value) ? BigInt(text) : value }
}

/** Writes a primitive value; `type` makes a whole number a float. Throws a `RangeError` for NaN and infinities. */
export async function writePrimitive(
  client: Client,
  slot: Slot,
  value: Primitive,
  type?: 'float',
): Promise<void> {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${String(value)} is not a value`)
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  const whole = typeof value === 'number' && /^-?\d+$/.test(text)
  await write(
    client,
    slot,
    PRIMITIVE,
    new TextEncoder().encode(whole && type === 'float' ? `${text}.0` : text),
  )
}

/** Writes an opaque value: bytes and a content type, which will be read back unchanged. */
export async function writeOpaque(
  client: Client,
  slot: Slot,
  contentType: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await write(client, slot, contentType, bytes)
}

async function write(client: Client, slot: Slot, contentType: string, bytes: Uint8Array): Promise<void> {
  const body = {
    // The types expect a value, but these are its encoded bytes.
    body: bytes as never,
    bodySerializer: (it: unknown) => it,
    headers: { 'Content-Type': contentType },
  }
  if ('id' in slot) {
    await client.PUT('/objects/{object_id}/{tag_path}', { params: { path: ofObject(slot) }, ...body })
  } else await client.PUT('/about/{about_value}/{tag_path}', { params: { path: ofAbout(slot) }, ...body })
}

const ofObject = ({ id, tag }: { id: string; tag: string }): { object_id: string; tag_path: string } => ({
  object_id: id,
  tag_path: tag,
})

/** URLs lose the segments `.` and `..`, however they are encoded, so the request would have another path. */
function ofAbout({ about, tag }: { about: string; tag: string }): { about_value: string; tag_path: string } {
  if (about === '.' || about === '..') {
    throw new RangeError(
      `The about value ${about} cannot be used in a path; POST /objects returns the id of its object`,
    )
  }
  return { about_value: about, tag_path: tag }
}
