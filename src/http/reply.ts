/** What a handler returns, before it becomes a response: exactly one of JSON, a tag value, a document, or nothing. */
import type { StoredValue } from '../data/values/reading.ts'
import type { Document } from '../documents/documents.ts'

/** A tag value as the answer to a read. */
export type ValueAnswer = StoredValue

export interface Reply {
  readonly status: number
  /** A value to serialise as JSON, or a `RawJson`. */
  readonly json?: unknown
  readonly value?: ValueAnswer
  readonly document?: Document
  /** The absolute URL of what was created. */
  readonly location?: string
}
