/** Reads and writes tag values, whose types and content types the generated types do not describe. */
import { PRIMITIVE, type Client, type Schemas } from './client.ts'
import { parseJson, toJson } from './json.ts'

/** The address of a value: an object, by its id or about value, and the path of a tag. */
export type Slot =
  { readonly id: string; readonly tag: string } | { readonly about: string; readonly tag: string }

/** A primitive value to write: bigints and whole numbers become ints, other numbers and `float(…)` become floats. */
export type Primitive = null | boolean | number | bigint | string | readonly string[]

/** A value in an answer. An int beyond 2^53 is a bigint, every other number a number. */
export type Value =
  | {
      readonly type: 'null' | 'boolean' | 'int' | 'float' | 'string' | 'list-of-strings'
      readonly value: Primitive
    }
  | { readonly type: 'opaque'; readonly contentType: string; readonly bytes: Uint8Array<ArrayBuffer> }

/**
 * A value in an answer of GET `/values`: a primitive value itself, or the content type and size in bytes of an opaque
 * value.
 */
export type Entry = Schemas['ValueEntry']

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
  return { type, value: parseJson(new TextDecoder().decode(bytes)) as Primitive }
}

/** Writes a primitive value. Throws a `RangeError` for NaN and infinities. */
export async function writePrimitive(client: Client, slot: Slot, value: Primitive): Promise<void> {
  await write(client, slot, PRIMITIVE, new TextEncoder().encode(toJson(value)))
}

/** Writes an opaque value: bytes and a content type. The service returns both unchanged. */
export async function writeOpaque(
  client: Client,
  slot: Slot,
  contentType: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await write(client, slot, contentType, bytes)
}

/** The number of ids in a request. They make a URL of about 7,000 characters, which proxies accept. */
const BATCH = 90
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Reads values of these tags on any number of objects, with some objects per request. Yields each id, in lower case, with
 * its values by tag. GET `/values` has no pages and finds objects only by query, which limits the size of a request. Each
 * request sees the current state of the store. Throws a `RangeError` for a text that is not an id.
 */
export async function* readValues(
  client: Client,
  ids: Iterable<string>,
  tags: readonly string[],
): AsyncGenerator<[id: string, values: Readonly<Record<string, Entry>>]> {
  const waiting = [...ids]
  const wrong = waiting.find((id) => !ID.test(id))
  if (wrong !== undefined) throw new RangeError(`${wrong} is not an id`)
  for (let from = 0; from < waiting.length; from += BATCH) {
    const batch = waiting.slice(from, from + BATCH).map((id) => id.toLowerCase())
    const query = batch.map((id) => `service/id = "${id}"`).join(' or ')
    const { data } = await client.GET('/values', { params: { query: { query, tag: [...tags] } } })
    for (const id of batch) yield [id, data?.results.id[id] ?? {}]
  }
}

async function write(client: Client, slot: Slot, contentType: string, bytes: Uint8Array): Promise<void> {
  const body = {
    // The types expect a value, but the body consists of its encoded bytes.
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
