/** One value in the service: reading it, and changing it only if it is still what was read. */
import { signal } from '@preact/signals'
import { PRIMITIVE } from '../../../packages/client/client.ts'
import type { PrimitiveType } from '../../../src/tag-value.ts'
import { client, isRefusal } from '../service/service.ts'
import { isSame, type Content } from './content.ts'

/** The place of a value. */
export interface Slot {
  /** The id of the object. */
  readonly id: string
  readonly tag: string
}

/** A value as it was at one time. */
export interface Stored {
  readonly content: Content
  readonly etag: string
}

/** Grows with each change, for what shows values. */
export const changes = signal(0)

const VALUE = '/objects/{object_id}/{tag_path}'

const pathOf = ({ id, tag }: Slot): { object_id: string; tag_path: string } => ({
  object_id: id,
  tag_path: tag,
})

/** The value, or undefined where there is none. Throws a `ServiceError`. */
export async function readStored(slot: Slot, signal?: AbortSignal): Promise<Stored | undefined> {
  try {
    const { data, response } = await client().GET(VALUE, {
      params: { path: pathOf(slot) },
      parseAs: 'arrayBuffer',
      ...(signal && { signal }),
    })
    const bytes = new Uint8Array(data ?? new ArrayBuffer())
    const type = response.headers.get('x-service-type') as PrimitiveType | null
    const contentType = response.headers.get('content-type') ?? ''
    const etag = response.headers.get('etag') ?? ''
    if (type === null) return { content: { type: 'opaque', contentType, bytes }, etag }
    return { content: { type, json: new TextDecoder().decode(bytes) }, etag }
  } catch (error) {
    if (isRefusal(error, 'TNoInstanceOnObject', 'TNonexistentTag')) return undefined
    throw error
  }
}

/** The id of the object about something, which is created if there is none. Throws a `ServiceError`. */
export async function idOf(about: string): Promise<string> {
  const { data } = await client().POST('/objects', { body: { about } })
  return data?.id ?? ''
}

/**
 * Gives a value new content, or deletes it, provided that it is still as it was `before`; undefined stands for no value.
 * Returns what undoes that, on the same condition, if it can be undone. Throws a `ServiceError`.
 */
export async function change(
  slot: Slot,
  before: Stored | undefined,
  after: Content | undefined,
): Promise<(() => Promise<void>) | undefined> {
  await write(slot, before?.etag, after)
  const now = await written(slot, after)
  changes.value += 1
  if (now === 'unknown') return undefined
  return async () => {
    await write(slot, now?.etag, before?.content)
    changes.value += 1
  }
}

/** What was written, with its entity tag; `unknown` if it may not be read, or somebody has already changed it again. */
async function written(slot: Slot, after: Content | undefined): Promise<Stored | undefined | 'unknown'> {
  if (after === undefined) return undefined
  const now = await readStored(slot).catch(() => undefined)
  return now !== undefined && isSame(now.content, after) ? now : 'unknown'
}

/** Writes if the entity tag is still the same, or if there is still no value. */
async function write(slot: Slot, etag: string | undefined, content: Content | undefined): Promise<void> {
  const path = pathOf(slot)
  const header = etag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': etag }
  if (content === undefined) {
    await client().DELETE(VALUE, { params: { path, header } })
    return
  }
  const [type, bytes] =
    content.type === 'opaque'
      ? [content.contentType, content.bytes]
      : [PRIMITIVE, new TextEncoder().encode(content.json)]
  await client().PUT(VALUE, {
    params: { path, header },
    headers: { 'Content-Type': type },
    // The types expect a value, but these are its encoded bytes.
    body: bytes as never,
    bodySerializer: (it: unknown) => it as Uint8Array<ArrayBuffer>,
  })
}
