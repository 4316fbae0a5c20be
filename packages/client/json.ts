/** JSON with exact ints, in both directions. */

/** What reading and writing exactly stands on: Node 22, Chrome 114, Firefox 135, Safari 18.4. TypeScript does not know it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object }

/** Parses JSON. An int beyond 2^53 is a bigint, every other number a number. Throws a `SyntaxError`. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    const source = context?.source ?? ''
    return /^-?\d+$/.test(source) ? BigInt(source) : value
  })
}

/** Writes JSON, bigints as ints. Throws a `RangeError` for NaN and infinities, which JSON does not have. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return rawJSON(String(part))
    if (typeof part === 'number' && !Number.isFinite(part))
      throw new RangeError(`${String(part)} is not a value`)
    return part
  })
}

/**
 * A number that is written as a float even if it is whole: `float(5)` is written as `5.0`, `5` as the int 5. It is only
 * for writing. Throws a `RangeError` for NaN and infinities.
 */
export function float(value: number): number {
  // JSON.stringify drops the sign of zero.
  const text = Object.is(value, -0) ? '-0' : toJson(value)
  return rawJSON(/^-?\d+$/.test(text) ? `${text}.0` : text) as unknown as number
}
