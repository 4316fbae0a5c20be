/** Numbers in texts, with a decimal point or comma. */
import { int64Of } from '../../src/model/int64.ts'

export const DECIMALS = ['.', ','] as const
export type Decimal = (typeof DECIMALS)[number]

const INT = /^-?(?:0|[1-9]\d*)$/
const FLOAT = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Returns whether a text is an int of 64 bits without leading zeros. The service keeps its digits, also for -0. */
export const isInt = (text: string): boolean => INT.test(text) && int64Of(text) !== undefined

/** Returns whether a text is a decimal number in the range of a float. */
export const isFloat = (text: string): boolean => FLOAT.test(text) && Number.isFinite(Number(text))

/** Numbers whose digits may be in groups of three, by their decimal separator. */
const GROUPED: Readonly<Record<Decimal, RegExp>> = {
  '.': /^-?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+|(?=\.))(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  ',': /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+|(?=,))(?:,\d+)?(?:[eE][+-]?\d+)?$/,
}

/** Returns whether a text is a number with this decimal separator; the other separator may group digits. */
export const isGrouped = (text: string, decimal: Decimal): boolean => GROUPED[decimal].test(text.trim())

/**
 * A number without blanks around it and without groups of digits, and with a decimal point; an empty text if it is no
 * number with this decimal separator.
 */
export function plainNumber(text: string, decimal: Decimal | undefined): string {
  const trimmed = text.trim()
  if (decimal === undefined) return trimmed
  if (!isGrouped(trimmed, decimal)) return ''
  return trimmed.replaceAll(decimal === ',' ? '.' : ',', '').replace(',', '.')
}
