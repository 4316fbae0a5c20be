/** Tag values: the typed primitives, whose numbers stay exact, and opaque bytes with a content type. */
import { ServiceError } from './errors.ts'
import { int64Of } from './int64.ts'
import { parseJson } from './json.ts'

/** The names of the primitive types, as `X-Service-Type` gives them. */
export type PrimitiveType = 'null' | 'boolean' | 'int' | 'float' | 'string' | 'list-of-strings'

/** A primitive value: `json` is its canonical JSON text, which the service stores and serves. */
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

/** A string as a primitive value. */
export const stringValue = (value: string): Primitive => ({
  type: 'string',
  value,
  json: JSON.stringify(value),
})

/**
 * The primitive that a parsed JSON value represents. `numberText` is the literal of a number in the text: only the literal
 * tells `5` from `5.0`. Without it, the number is taken as JavaScript writes it. Throws `UnsupportedJSONType` if the value
 * is not a primitive.
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

/** The primitive in a JSON text. Throws as `parseJson` and `primitiveOf` do. */
export function parsePrimitive(text: string, maxDepth = PRIMITIVE_DEPTH): Primitive {
  const { value, source } = parseJson(text, maxDepth)
  return primitiveOf(value, source)
}

const outOfRange = (): ServiceError =>
  new ServiceError('UnsupportedJSONType', {}, { hint: 'the number does not fit in 64 bits' })

function numberOf(literal: string): Primitive {
  if (!/[.eE]/.test(literal)) {
    const value = int64Of(literal)
    if (value === undefined) throw outOfRange()
    return { type: 'int', value, json: literal }
  }
  const value = Number(literal)
  if (!Number.isFinite(value)) throw outOfRange()
  return { type: 'float', value, json: floatText(value) }
}

/** The shortest text that parses as the same double and shows, by its fraction or exponent, that it is a float. */
export function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
