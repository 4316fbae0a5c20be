/** What a handler returns, before it becomes a response: exactly one of JSON, a tag value, a document, or nothing. */
import type { StoredValue } from '../../data/values/reading.ts'
import type { Document } from '../../documents/document.ts'
import { free } from '../../model/borrowed-bytes.ts'
import { isRawJson } from './raw-json.ts'

/** A tag value as the answer to a read. */
export type ValueAnswer = StoredValue

export interface Reply {
  readonly status: number
  /** A value to serialise as JSON, or a `RawJson`. */
  readonly json?: unknown
  /** The entity tag of JSON that has one. */
  readonly etag?: string
  readonly value?: ValueAnswer
  readonly document?: Document
  /** The absolute URL of what was created. */
  readonly location?: string
  /** The absolute URL of the following page. */
  readonly next?: string | undefined
  /** A notice for the client about a success. */
  readonly message?: string
}

/** How many octets of memory a reply holds until it is sent, apart from short JSON. */
export function heldBy({ json, value, document }: Reply): number {
  if (isRawJson(json)) return json.held
  return value?.content.length ?? document?.content.length ?? 0
}

/** Gives up a reply that is not going to be sent. */
export async function discard({ json, value }: Reply): Promise<void> {
  if (isRawJson(json)) await json.discard()
  if (value !== undefined) free(value.content)
}
