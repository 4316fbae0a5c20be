/** Encodes a tag value for storing: its type, its sort key, its content in place or in parts, and its search terms. */
import { hash } from 'node:crypto'
import { wordsInPortions } from '../../model/words.ts'
import type { PrimitiveType, TagValue } from '../../model/tag-value.ts'
import { termOfItem, termOfWord, type Term } from './terms.ts'

const TYPES = ['null', 'boolean', 'int', 'float', 'string', 'list-of-strings', 'opaque'] as const

/** The number under which a value's type is stored. */
export const typeCode = (type: PrimitiveType | 'opaque'): number => TYPES.indexOf(type)

/** The type stored under that number, or undefined. */
export const findTypeOfCode = (code: number): PrimitiveType | 'opaque' | undefined => TYPES[code]

/** The type stored under that number. */
export function typeOfCode(code: number): PrimitiveType | 'opaque' {
  const type = findTypeOfCode(code)
  if (type === undefined) throw new Error(`no type of value has the number ${code}`)
  return type
}

/** The numbers of the types whose values may have terms. */
export const TYPES_WITH_TERMS: readonly number[] = [typeCode('string'), typeCode('list-of-strings')]

/** The maximum size of a content in the row, in octets; longer content goes to `value_parts`. */
export const INLINE_BYTES = 512

/** The size of a part, in octets: below every engine's limits for a row and for a packet. */
export const PART_BYTES = 1024 * 1024

/** A value in the form for storing. */
export class Encoded {
  readonly type: number
  readonly sortKey: Buffer
  readonly content: Buffer
  readonly contentType: string | null
  readonly #value: TagValue
  readonly #short: boolean
  #terms: readonly (readonly Term[])[] | undefined

  constructor(value: TagValue) {
    const opaque = value.type === 'opaque'
    this.type = typeCode(value.type)
    this.sortKey = sortKey(value)
    this.content = opaque ? value.bytes : Buffer.from(value.json)
    this.contentType = opaque ? value.contentType : null
    this.#value = value
    this.#short = this.content.length <= INLINE_BYTES
  }

  /** The terms of a short value under an indexed or unindexed tag; see `termsInPortions`. */
  terms(indexed: boolean): readonly Term[] {
    return [...this.termsInPortions(indexed)].flat()
  }

  /** The terms of the value under an indexed or unindexed tag; see the function of this name. */
  termsInPortions(indexed: boolean): Iterable<readonly Term[]> {
    if (!indexed || !this.#short) return termsInPortions(this.#value, indexed)
    // Only short values keep their terms, for they are written repeatedly; the terms of a long one would fill the memory.
    return (this.#terms ??= [...termsInPortions(this.#value, true)])
  }
}

/** The first octet of a sort key: one for each type, in the order of the types. */
export const KEY = { null: 1, boolean: 2, number: 3, string: 4, list: 5, opaque: 6 } as const

/** How many octets of a string its sort key holds verbatim; the key of a longer string ends in the string's SHA-256. */
export const KEY_STRING_BYTES = 24

/**
 * Bytes that compare like the values: numbers by value across int and float, exactly; strings by code point up to
 * `KEY_STRING_BYTES`. Except for lists and opaque values, two values are equal exactly when their keys are.
 */
export function sortKey(value: TagValue): Buffer {
  switch (value.type) {
    case 'null':
      return Buffer.of(KEY.null)
    case 'boolean':
      return Buffer.of(KEY.boolean, value.value ? 1 : 0)
    case 'int':
    case 'float':
      return numberKey(value.value)
    case 'string':
      return stringKey(value.value)
    case 'list-of-strings':
      return Buffer.of(KEY.list)
    case 'opaque':
      return Buffer.of(KEY.opaque)
  }
}

const EXACT_BELOW = 2 ** 53
const INT64_SPAN = 2 ** 63
/** The length of a number's key that ends in the integer itself. */
const EXACT_KEY_BYTES = 17

/**
 * The nearest double, its bits transformed so that bytes compare like numbers. From 2^53 on, where several integers
 * share a double, the integer itself follows.
 */
function numberKey(value: bigint | number): Buffer {
  const double = Number(value) + 0 // minus zero equals zero
  const bits = Buffer.allocUnsafe(9)
  bits[0] = KEY.number
  bits.writeDoubleBE(double, 1)
  const negative = double < 0
  for (let i = 1; i < 9; i++) bits[i] = (bits[i] ?? 0) ^ (negative ? 0xff : i === 1 ? 0x80 : 0)
  if (Math.abs(double) < EXACT_BELOW) return bits
  if (typeof value === 'number' && (value >= INT64_SPAN || value < -INT64_SPAN)) {
    // The largest integers round up to 2^63, and the float 2^63 is greater than each of them.
    return value === INT64_SPAN ? Buffer.concat([bits, Buffer.alloc(9, 0xff)]) : bits
  }
  const integer = Buffer.alloc(8)
  integer.writeBigUInt64BE(BigInt(value) + 2n ** 63n)
  return Buffer.concat([bits, integer])
}

/** The number of a sort key: as a double, and exactly if it may be an int. Undefined for a key of another type. */
export function numberOfKey(
  key: Buffer,
): { readonly double: number; readonly int: bigint | undefined } | undefined {
  if (key[0] !== KEY.number) return undefined
  const bits = Buffer.from(key.subarray(1, 9))
  const negative = (bits[0] ?? 0) < 0x80
  for (let i = 0; i < 8; i++) bits[i] = (bits[i] ?? 0) ^ (negative ? 0xff : i === 0 ? 0x80 : 0)
  const double = bits.readDoubleBE()
  if (key.length === EXACT_KEY_BYTES) return { double, int: key.readBigUInt64BE(9) - 2n ** 63n }
  const isInt = Number.isInteger(double) && Math.abs(double) < EXACT_BELOW
  return { double, int: isInt ? BigInt(double) : undefined }
}

/** The sort key of a string. */
function stringKey(text: string): Buffer {
  const length = Buffer.byteLength(text)
  if (length <= KEY_STRING_BYTES) {
    const key = Buffer.allocUnsafe(1 + length)
    key[0] = KEY.string
    key.write(text, 1)
    return key
  }
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.of(KEY.string), bytes.subarray(0, KEY_STRING_BYTES), sha256(bytes)])
}

/** The string of a sort key; undefined for another type, and for a string that is longer than its key. */
export const stringOfKey = (key: Buffer): string | undefined =>
  key[0] === KEY.string && key.length <= 1 + KEY_STRING_BYTES ? key.toString('utf8', 1) : undefined

/** SHA-256, which identifies texts that are too long for an index. */
export const sha256 = (bytes: Buffer | string): Buffer => hash('sha256', bytes, 'buffer')

/** SHA-256 as text with a character for each octet: such texts compare like the octets, and are faster to make. */
export const sha256Text = (text: string): string => hash('sha256', text, 'binary')

/** How many items of a list are turned into terms at once. */
const ITEMS_AT_ONCE = 5_000

/**
 * The terms of a value: the items of a list and, if the tag is indexed, the words of strings. In portions, and with
 * repetitions.
 */
export function* termsInPortions(value: TagValue, indexed: boolean): Generator<readonly Term[]> {
  if (value.type === 'list-of-strings') yield* itemTerms(value.value)
  if (!indexed) return
  for (const text of textsOf(value)) for (const words of wordsInPortions(text)) yield words.map(termOfWord)
}

function* itemTerms(items: readonly string[]): Generator<readonly Term[]> {
  let terms: Term[] = []
  for (const item of items) {
    terms.push(termOfItem(item))
    if (terms.length < ITEMS_AT_ONCE) continue
    yield terms
    terms = []
  }
  yield terms
}

/** The texts that `matches` searches: a string, or each string of a list. */
export function textsOf(value: TagValue): readonly string[] {
  if (value.type === 'string') return [value.value]
  return value.type === 'list-of-strings' ? value.value : []
}

/**
 * The first `bytes` octets in UTF-8 of a string, from its canonical JSON. The beginning of the JSON is enough, with six
 * octets for each.
 */
export function beginningOf(json: Buffer, bytes: number): Buffer {
  // Up to the closing quote, or to an escape that was cut off.
  const [whole = ''] =
    /^(?:[^\\"]|\\u[\da-f]{4}|\\[^u])*/i.exec(json.subarray(1, 6 * bytes + 8).toString()) ?? []
  return Buffer.from(JSON.parse(`"${whole}"`) as string).subarray(0, bytes)
}
