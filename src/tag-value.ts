/** Tag values: the typed primitives, whose numbers stay exact, and opaque bytes with a content type. */
import { ServiceError } from './errors.ts'
import { int64Of } from './int64.ts'
import { parsing } from './json.ts'
import { atOnce } from './turns.ts'

/** The names of the primitive types, as `X-Service-Type` gives them. */
export type PrimitiveType = 'null' | 'boolean' | 'int' | 'float' | 'string' | 'list-of-strings'

/** A primitive value: `json` is its canonical JSON text, which is what is stored and served. */
export type Primitive = { readonly json: string } & (
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'list-of-strings'; readonly value: Iterable<string> }
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
 * The primitive that a parsed JSON value represents; `numberText` is the literal of a number in the text, because only
 * that shows whether it was `5` or `5.0`. Without it, the number is as JavaScript writes it. Throws
 * `UnsupportedJSONType` if it is not a primitive.
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

/** The primitive in a short JSON text; see `parsingPrimitive`. */
export const parsePrimitive = (text: string): Primitive => atOnce(parsingPrimitive(text))

/**
 * Parses a JSON text of a primitive. It yields after every portion, and keeps nothing of a long text that is no
 * primitive. Throws `MalformedPayload` if it is not JSON, else like `primitiveOf`.
 */
export function* parsingPrimitive(
  text: string,
  maxDepth: number = PRIMITIVE_DEPTH,
): Generator<undefined, Primitive> {
  const pieces: (string | undefined)[] = []
  const pass = (items: readonly unknown[] | undefined): void => {
    const isTexts = items?.every((item) => typeof item === 'string') === true
    // One item that is no string says enough.
    if (!isTexts) pieces.splice(0, Infinity, undefined)
    else if (pieces[0] !== undefined || pieces.length === 0) pieces.push(JSON.stringify(items).slice(1, -1))
  }
  const { value, source } = yield* parsing(text, maxDepth, { pass })
  yield
  if (pieces.length === 0) return primitiveOf(value, source)
  return new LongList(pieces.map((piece) => piece ?? unsupported()))
}

const unsupported = (): never => {
  throw new ServiceError('UnsupportedJSONType')
}

/** A list of strings that is kept as its canonical JSON alone, because millions of strings take several times as much. */
class LongList {
  readonly type = 'list-of-strings'
  readonly json: string
  readonly value: Iterable<string>

  /** `pieces` are the JSON of the items, without brackets. */
  constructor(pieces: readonly string[]) {
    const json = `[${pieces.join(',')}]`
    const lengths = pieces.map(({ length }) => length)
    this.json = json
    this.value = {
      *[Symbol.iterator]() {
        let start = 1
        for (const length of lengths) {
          yield* JSON.parse(`[${json.slice(start, start + length)}]`) as string[]
          start += length + 1
        }
      },
    }
  }
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
