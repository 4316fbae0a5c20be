/** The content of a value. */
import type { PrimitiveType } from '../../../src/model/tag-value.ts'
import { parseExact } from '../../../packages/client/json.ts'
import type { Cell } from '../../../common/values.ts'

/** The JSON of a primitive value with all its digits, or the bytes of an opaque one. */
export type Content =
  | { readonly type: PrimitiveType; readonly json: string }
  | { readonly type: 'opaque'; readonly contentType: string; readonly bytes: Uint8Array<ArrayBuffer> }

export type ValueType = Content['type']

/** The display names of the types. */
export const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
  null: 'null',
  boolean: 'boolean',
  int: 'int',
  float: 'float',
  string: 'string',
  'list-of-strings': 'list of strings',
  opaque: 'file (opaque)',
}

/** The value in the form of lists. */
export function cellOfContent(content: Content): Exclude<Cell, undefined> {
  if (content.type !== 'opaque') return parseExact(content.json) as Exclude<Cell, undefined>
  return { 'value-type': content.contentType, size: content.bytes.length }
}

/** Returns whether both contents are identical. */
export function isSame(one: Content, other: Content): boolean {
  if (one.type !== 'opaque' || other.type !== 'opaque') {
    return one.type !== 'opaque' && other.type === one.type && other.json === one.json
  }
  const [bytes, others] = [one.bytes, other.bytes]
  return (
    one.contentType === other.contentType &&
    bytes.length === others.length &&
    bytes.every((byte, at) => byte === others[at])
  )
}

/** Decodes bytes as UTF-8, or in another encoding; undefined if they are invalid in it. */
export function decoded(bytes: Uint8Array, encoding = 'utf-8'): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Formats a number of bytes. */
export const bytesText = (size: number): string =>
  size === 1 ? '1 byte' : `${size.toLocaleString('en')} bytes`

/** A content type without its parameters. */
export const essenceOf = (contentType: string): string => contentType.replace(/;.*/s, '').trim().toLowerCase()
