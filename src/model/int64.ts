/** The ints of values: signed, of 64 bits. */

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n
/** How many digits an integer of 64 bits may have. */
const INT64_DIGITS = 19

/**
 * The integer that decimal digits spell, with or without `-` and leading zeros; undefined if it does not fit in signed 64
 * bits. This counts the digits before it reads them: the time of reading grows faster than their number.
 */
export function int64Of(literal: string): bigint | undefined {
  const negative = literal.startsWith('-')
  let first = negative ? 1 : 0
  while (literal[first] === '0') first += 1
  if (literal.length - first > INT64_DIGITS) return undefined
  const magnitude = BigInt(literal.slice(first))
  const value = negative ? -magnitude : magnitude
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined
}
