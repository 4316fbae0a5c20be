/**
 * Reads and writes JSON with exact numbers. The service has a reader of its own (src/model/json.ts) with bounds for untrusted
 * texts; this one uses `JSON.parse` and is short, as clients trust the service and include it in their pages.
 */

/** The functions for exact numbers: Node 22, Chrome 114, Firefox 135, Safari 18.4. The types of TypeScript lack them. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => ExactNumber
  readonly isRawJSON: (value: unknown) => value is ExactNumber
}

/** A number in its JSON text, such as 9223372036854775807 or 5.0; `JSON.stringify` writes the same text. */
export interface ExactNumber {
  readonly rawJSON: string
}

export const isExact = isRawJSON

/** Parses JSON. `numberOf` gets each number and its source text. */
const parseWith = (text: string, numberOf: (value: number, source: string) => unknown): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? numberOf(value, context?.source ?? '') : value,
  )

/**
 * Parses JSON. An int beyond 2^53 is a bigint, every other number a number; with `wrapsFloats`, every float is a `Float`.
 * Throws a `SyntaxError`.
 */
export const parseJson = (text: string, wrapsFloats = false): unknown =>
  parseWith(text, (value, source) => {
    const isInt = /^-?\d+$/.test(source)
    if (!isInt) return wrapsFloats ? rawJSON(source) : value
    return Number.isSafeInteger(value) ? value : BigInt(source)
  })

/** Parses JSON and keeps the source text of all numbers. Throws a `SyntaxError`. */
export const parseExact = (text: string): unknown => parseWith(text, (_value, source) => rawJSON(source))

/** Writes JSON, bigints as ints. Throws a `RangeError` for NaN and infinities, which JSON lacks. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, jsonOfPart, indent)
}

function jsonOfPart(_key: string, part: unknown): unknown {
  if (typeof part === 'bigint') return rawJSON(String(part))
  if (typeof part === 'number' && !Number.isFinite(part))
    throw new RangeError(`${String(part)} is not a value`)
  return part
}

/** A float in its JSON text, such as `5.0`. `Number(it.rawJSON)` is its number. */
export type Float = ExactNumber

/**
 * A float to write even if it is whole: `float(5)` becomes `5.0`, and `5` becomes the int 5. Throws a `RangeError` for NaN
 * and infinities.
 */
export function float(value: number): Float {
  // JSON.stringify drops the sign of zero.
  const text = Object.is(value, -0) ? '-0' : toJson(value)
  return rawJSON(/^-?\d+$/.test(text) ? `${text}.0` : text)
}
