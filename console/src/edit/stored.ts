/** Reads one value of the service, and changes it only if it is unchanged since. */
import { signal } from '@preact/signals'
import { PRIMITIVE, type Client } from '../../../packages/client/client.ts'
import type { PrimitiveType } from '../../../src/model/tag-value.ts'
import { client, isRefusal } from '../service/service.ts'
import { isSame, type Content } from './content.ts'

/** The address of a value. */
export interface Slot {
  /** The id of the object. */
  readonly id: string
  readonly tag: string
}

/** The address of a value; the object may not exist yet. */
export type ValueAddress = Slot | { readonly about: string; readonly tag: string }

/** A version of a value. */
export interface Stored {
  readonly content: Content
  readonly etag: string
}

/** Increases with each change; components that show values depend on it. */
export const changes = signal(0)

const VALUE = '/objects/{object_id}/{tag_path}'
const VALUE_ABOUT = '/about/{about_value}/{tag_path}'

/** The arguments of a path, with the types of `VALUE`; the other path has other names. */
type Values = { object_id: string; tag_path: string }

/**
 * The path of a value. If the service refuses the value, it creates no object, unless the about value cannot be in a
 * path.
 */
async function pathOf(as: Client, place: ValueAddress): Promise<[typeof VALUE, Values]> {
  const { tag } = place
  if ('id' in place) return [VALUE, { object_id: place.id, tag_path: tag }]
  const { about } = place
  if (!['', '.', '..'].includes(about)) {
    return [VALUE_ABOUT as never, { about_value: about, tag_path: tag } as never]
  }
  const { data } = await as.POST('/objects', { body: { about } })
  return [VALUE, { object_id: data.id, tag_path: tag }]
}

/** The value; undefined if there is none. Throws a `ServiceError`. */
export async function readStored(
  place: ValueAddress,
  signal?: AbortSignal,
  as: Client = client(),
): Promise<Stored | undefined> {
  try {
    const [url, path] = await pathOf(as, place)
    const { data, response } = await as.GET(url, {
      params: { path },
      parseAs: 'arrayBuffer',
      ...(signal && { signal }),
    })
    const bytes = new Uint8Array(data)
    const type = response.headers.get('x-service-type') as PrimitiveType | null
    const contentType = response.headers.get('content-type') ?? ''
    const etag = response.headers.get('etag') ?? ''
    if (type === null) return { content: { type: 'opaque', contentType, bytes }, etag }
    return { content: { type, json: new TextDecoder().decode(bytes) }, etag }
  } catch (error) {
    if (isRefusal(error, 'TNoInstanceOnObject', 'TNonexistentTag', 'NoSuchObject')) return undefined
    throw error
  }
}

/**
 * Writes new content, or deletes the value, if it is still `before`; undefined means no value. Returns a function that
 * undoes this as the same user under the same condition, if that is possible. Throws a `ServiceError`.
 */
export async function change(
  place: ValueAddress,
  before: Stored | undefined,
  after: Content | undefined,
): Promise<(() => Promise<void>) | undefined> {
  const as = client()
  await write(as, place, before?.etag, after)
  const now = await written(as, place, after)
  changes.value += 1
  if (now === 'unknown') return undefined
  return async () => {
    await write(as, place, now?.etag, before?.content)
    changes.value += 1
  }
}

/**
 * The written value with its entity tag; `unknown` if the user may not read it, or another user has already changed it.
 */
async function written(
  as: Client,
  place: ValueAddress,
  after: Content | undefined,
): Promise<Stored | undefined | 'unknown'> {
  if (after === undefined) return undefined
  const now = await readStored(place, undefined, as).catch(() => undefined)
  return now !== undefined && isSame(now.content, after) ? now : 'unknown'
}

/** Writes if the entity tag is still the same, or if there is still no value. */
async function write(
  as: Client,
  place: ValueAddress,
  etag: string | undefined,
  content: Content | undefined,
): Promise<void> {
  const [url, path] = await pathOf(as, place)
  const header = etag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': etag }
  if (content === undefined) {
    await as.DELETE(url, { params: { path, header } })
    return
  }
  const [type, bytes] =
    content.type === 'opaque'
      ? [content.contentType, content.bytes]
      : [PRIMITIVE, new TextEncoder().encode(content.json)]
  await as.PUT(url, {
    params: { path, header },
    headers: { 'Content-Type': type },
    // The types expect a value, but the body consists of its encoded bytes.
    body: bytes as never,
    bodySerializer: (it: unknown) => it as Uint8Array<ArrayBuffer>,
  })
}
