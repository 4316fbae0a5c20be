/** Tag values: the typed primitives, whose numbers stay exact, and opaque bytes with a content type. */
import { malformedPayload, ServiceError } from './errors.ts'

/** The names of the primitive types, as `X-Service-Type` gives them. */
export type PrimitiveType = 'null' | 'boolean' | 'int' | 'float' | 'string' | 'list-of-strings'

/** A primitive value: `json` is its canonical JSON text, which is what is stored and served. */
export type Primitive = { readonly json: string } & (
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'list-of-strings'; readonly value: readonly string[] }
)

/** Any other content: bytes, and the content type exactly as it was given. */
export interface Opaque {
  readonly type: 'opaque'
  readonly contentType: string
  readonly bytes: Buffer
}

export type TagValue = Primitive | Opaque

/** The media type of a primitive value on the wire. */
export const PRIMITIVE_MEDIA_TYPE = 'application/vnd.service.value+json'

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n
const NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Whether an integer fits in signed 64 bits. */
export const isInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX

/** A string as a primitive value. */
export const stringValue = (value: string): Primitive => ({
  type: 'string',
  value,
  json: JSON.stringify(value),
})

/**
 * The primitive that a parsed JSON value represents; `numberText` is the literal of a number in the text, because only
 * that shows whether it was `5` or `5.0`. Throws `UnsupportedJSONType` if it is not a primitive.
 */
export function primitiveOf(value: unknown, numberText: string | undefined): Primitive {
  if (value === null) return { type: 'null', value, json: 'null' }
  if (typeof value === 'boolean') return { type: 'boolean', value, json: String(value) }
  if (typeof value === 'string') return stringValue(value)
  if (typeof value === 'number') return numberOf(numberText ?? String(value))
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return { type: 'list-of-strings', value, json: JSON.stringify(value) }
  }
  throw new ServiceError('UnsupportedJSONType')
}

/** Deeper than any primitive. */
const PRIMITIVE_DEPTH = 2

/** The primitive in a JSON text. Throws `MalformedPayload` if it is not JSON, else like `primitiveOf`. */
export function parsePrimitive(text: string, maxDepth: number = PRIMITIVE_DEPTH): Primitive {
  const json = parseJson(text, maxDepth)
  return primitiveOf(json.value, json.source)
}

function numberOf(literal: string): Primitive {
  const match = NUMBER.exec(literal)
  if (match !== null && match[1] === undefined && match[2] === undefined) {
    const value = BigInt(literal)
    if (!isInt64(value)) throw new ServiceError('UnsupportedJSONType')
    return { type: 'int', value, json: literal }
  }
  const value = Number(literal)
  if (!Number.isFinite(value)) throw new ServiceError('UnsupportedJSONType')
  return { type: 'float', value, json: floatText(value) }
}

/** The shortest text that parses as the same double and shows, by its fraction or exponent, that it is a float. */
function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** A parsed JSON text, and the literals of its numbers, indexed by the object that holds them. */
export interface ParsedJson {
  readonly value: unknown
  /** The literal, if the whole text is a single number. */
  readonly source: string | undefined
  /** The literal of the number under `key` in `holder`; undefined if there is no number. */
  numberText(holder: object, key: string): string | undefined
}

interface ReviverContext {
  readonly source?: string
}

/**
 * Parses a JSON text and keeps the literals of numbers. Of duplicate keys, the last one wins. Throws `MalformedPayload`
 * if the text is not JSON, is nested deeper than `maxDepth` arrays and objects, or contains strings that are not
 * Unicode text (lone surrogates).
 */
export function parseJson(text: string, maxDepth: number): ParsedJson {
  if (depthOf(text) > maxDepth) {
    throw malformedPayload(`the payload is nested deeper than ${maxDepth}`)
  }
  const literals = new WeakMap<object, Map<string, string>>()
  let source: string | undefined
  function keep(this: object, key: string, value: unknown, context?: ReviverContext): unknown {
    source = typeof value === 'number' ? context?.source : undefined
    if (source !== undefined)
      literals.set(this, (literals.get(this) ?? new Map<string, string>()).set(key, source))
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
      throw malformedPayload('a string holds a lone surrogate')
    }
    return value
  }
  try {
    const value: unknown = JSON.parse(text, keep)
    return { value, source, numberText: (holder, key) => literals.get(holder)?.get(key) }
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw malformedPayload('the payload is not JSON', cause)
  }
}

/**
 * How deeply arrays and objects are nested in a JSON text, found without parsing it, because parsing needs stack space.
 */
function depthOf(text: string): number {
  let [depth, deepest, inString] = [0, 0, false]
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') inString = !inString
    else if (inString) i += character === '\\' ? 1 : 0
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth)
    else if (character === ']' || character === '}') depth--
  }
  return deepest
}
