/** Reads and writes tag values, whose types and content types the generated types do not describe. */
import { PRIMITIVE, type Client } from './client.ts'
import type { Schemas } from './contract.ts'
import { float, parseJson, toJson, type Float } from './json.ts'
import { initOf, type Arguments, type RequestOptions, type WriteOptions } from './operations.ts'
import { ServiceError } from './service-error.ts'

/** The address of a value: an object, by its id or about value, and the path of a tag. */
export type Slot =
  | { readonly id: string; readonly about?: undefined; readonly tag: string }
  | { readonly about: string; readonly id?: undefined; readonly tag: string }

/** A primitive value to write: bigints and whole numbers become ints, other numbers and `float(…)` become floats. */
export type Primitive = null | boolean | number | bigint | string | readonly string[] | Float

/** A value by its type, to read and to write. An int beyond 2^53 is a bigint. */
export type Value =
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: number | bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'list-of-strings'; readonly value: readonly string[] }
  | { readonly type: 'opaque'; readonly contentType: string; readonly bytes: Uint8Array<ArrayBuffer> }

/** A value in an answer, with its entity tag and the time of its last change, to the second. */
export type Stored = Value & { readonly etag: string; readonly lastModified: Date }

/**
 * A value in an answer of GET `/values` or `/search`: a primitive value itself, or the content type and size in bytes of
 * an opaque value.
 */
export type Entry = Schemas['ValueEntry']

/** An object in the answers of a search. */
export type FoundObject = Schemas['FoundObject']

/** Reads a value of any type; undefined if it still has the entity tag `ifNoneMatch`. */
export async function readValue(
  client: Client,
  slot: Slot,
  options?: RequestOptions & { readonly ifNoneMatch?: undefined },
): Promise<Stored>
export async function readValue(
  client: Client,
  slot: Slot,
  options?: RequestOptions & { readonly ifNoneMatch?: string | undefined },
): Promise<Stored | undefined>
export async function readValue(
  client: Client,
  slot: Slot,
  options?: WriteOptions,
): Promise<Stored | undefined> {
  try {
    return await read(client, slot, options)
  } catch (error) {
    if (error instanceof ServiceError && error.status === 304) return undefined
    throw error
  }
}

async function read(client: Client, slot: Slot, options?: WriteOptions): Promise<Stored> {
  const init = { ...initOf(options), parseAs: 'arrayBuffer' } as const
  const { data, response } =
    slot.id !== undefined
      ? await client.GET('/objects/{object_id}/{tag_path}', { params: { path: ofObject(slot) }, ...init })
      : await client.GET('/about/{about_value}/{tag_path}', { params: { path: ofAbout(slot) }, ...init })
  const header = (name: string): string => response.headers.get(name) ?? ''
  const bytes = new Uint8Array(data)
  const type = header('x-service-type')
  const value = type
    ? { type, value: parseJson(new TextDecoder().decode(bytes)) }
    : { type: 'opaque', contentType: header('content-type'), bytes }
  return { ...(value as Value), etag: header('etag'), lastModified: new Date(header('last-modified')) }
}

/**
 * Writes a primitive value, or a value by its type, such as one that `readValue` returned: a float stays one. The service
 * returns the bytes and the content type of an opaque value unchanged. Throws a `RangeError` for NaN and infinities.
 */
export async function writeValue(
  client: Client,
  slot: Slot,
  value: Primitive | Value,
  options?: WriteOptions,
): Promise<void> {
  const { contentType, bytes } = encoded(value)
  const { headers, ...init } = initOf(options)
  const sent = {
    ...init,
    // The types expect a value, but the body consists of its encoded bytes.
    body: bytes as never,
    bodySerializer: (it: unknown) => it,
    headers: { ...headers, 'Content-Type': contentType },
  }
  if (slot.id !== undefined) {
    await client.PUT('/objects/{object_id}/{tag_path}', { params: { path: ofObject(slot) }, ...sent })
  } else await client.PUT('/about/{about_value}/{tag_path}', { params: { path: ofAbout(slot) }, ...sent })
}

function encoded(value: Primitive | Value): { contentType: string; bytes: Uint8Array } {
  const isTyped = typeof value === 'object' && value !== null && 'type' in value
  if (isTyped && value.type === 'opaque') return value
  const primitive = !isTyped ? value : value.type === 'float' ? float(value.value) : value.value
  return { contentType: PRIMITIVE, bytes: new TextEncoder().encode(toJson(primitive)) }
}

/**
 * Finds objects by a query, in the order of `sort`, with the values of the tags in `tag`. Yields one object after another
 * and requests pages of `limit` objects on the way. Each request sees the current state of the store.
 */
export async function* search(
  client: Client,
  args: Omit<Arguments<'searchObjects'>, 'cursor' | 'count'>,
  options?: RequestOptions,
): AsyncGenerator<FoundObject> {
  let cursor: string | undefined
  do {
    const page = await client.searchObjects({ ...args, ...(cursor && { cursor }) }, options)
    yield* page.results
    cursor = page.next
  } while (cursor !== undefined)
}

/** The number of ids in a request. They make a URL of about 7,000 characters, which proxies accept. */
const BATCH = 90
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Reads values of these tags on any number of objects, with some objects per request. Yields each id, in lower case, with
 * its values by tag. Each request sees the current state of the store. Throws a `RangeError` for a text that is not an id.
 */
export async function* readValues(
  client: Client,
  ids: Iterable<string>,
  tags: readonly string[],
  options?: RequestOptions,
): AsyncGenerator<[id: string, values: Readonly<Record<string, Entry>>]> {
  const waiting = [...ids]
  const wrong = waiting.find((id) => !ID.test(id))
  if (wrong !== undefined) throw new RangeError(`${wrong} is not an id`)
  for (let from = 0; from < waiting.length; from += BATCH) {
    const batch = waiting.slice(from, from + BATCH).map((id) => id.toLowerCase())
    const query = batch.map((id) => `service/id = "${id}"`).join(' or ')
    const { results } = await client.getValues({ query, tag: tags }, options)
    for (const id of batch) yield [id, results.id[id] ?? {}]
  }
}

const ofObject = ({ id, tag }: { id: string; tag: string }): { object_id: string; tag_path: string } => ({
  object_id: id,
  tag_path: tag,
})

const ofAbout = ({
  about,
  tag,
}: {
  about: string
  tag: string
}): { about_value: string; tag_path: string } => ({
  about_value: about,
  tag_path: tag,
})
