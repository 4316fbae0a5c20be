/** Converts bins and typed ranges to conditions. */
import type { ExactNumber } from '../../../packages/client/json.ts'
import { cellText, toNumber } from '../../../common/values.ts'
import type { Facet, Spread } from '../service/facet.ts'
import { sixDigits, type Scale } from './scale.ts'

/** A range of numbers in the syntax of a query; `before` excludes the upper end. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly before?: boolean
}

/** The pattern of fields for a number of the query language. */
export const NUMBER = String.raw`-?(\d+(\.\d+)?|\.\d+)([eE][+\-]?\d+)?`

/** The condition for a range; an empty end means no limit. */
export function within(tag: string, { from, to, before = false }: Range): string {
  const conditions = [
    ...(from === '' ? [] : [`${tag} >= ${from}`]),
    ...(to === '' ? [] : [`${tag} ${before ? '<' : '<='} ${to}`]),
  ]
  return conditions.join(' and ')
}

/** The exact range of the bins from `first` to `last`. For ints, an edge is the next int. */
export function rangeOf(spread: Spread, first: number, last: number): Range | undefined {
  const [from, to] = [spread.bins[first], spread.bins[last]]
  if (from === undefined || to === undefined) return undefined
  const isLast = last === spread.bins.length - 1
  return { from: cellText(from.from), to: cellText(to.to), before: !isLast }
}

/** The same range for a tag that only has ints: its ends are ints. */
export function ofInts(range: Range): Range {
  const to = range.before === true ? edgeOf(range.to) : range.to
  return { ...range, from: edgeOf(range.from), to }
}

/** The least int that is not below a number. */
const edgeOf = (text: string): string =>
  /^-?\d+$/.test(text) ? text : String(BigInt(Math.ceil(Number(text))))

/** Returns whether all numbers of a tag are ints. */
export const isOfInts = ({ types }: Facet): boolean => types['float'] === undefined

/** The count of the bins from `first` to `last`. */
export const countOf = (spread: Spread, first: number, last: number): number =>
  spread.bins.slice(first, last + 1).reduce((sum, { count }) => sum + count, 0)

/**
 * Returns whether almost all numbers would be in one bin of equal width although they differ much, as populations and
 * prices do. A logarithmic scale then shows more.
 */
function isSkewed(spread: Spread): boolean {
  const total = countOf(spread, 0, spread.bins.length)
  const [smallest, largest] = [toNumber(spread.smallest), toNumber(spread.largest)]
  const most = Math.max(...spread.bins.map(({ count }) => count))
  return smallest >= 0 && largest >= 100 * Math.max(smallest, 1e-9) && most > 0.75 * total && total > 20
}

/** The scale of a tag: the chosen one, or else the more informative one. */
export const scaleOf = (chosen: string | undefined, spread: Spread | undefined): Scale =>
  chosen === 'logarithmic' || chosen === 'linear'
    ? chosen
    : spread !== undefined && isSkewed(spread)
      ? 'logarithmic'
      : 'linear'

/** The position of a number among bins of equal display width: 0 at the first one, 1 after the last. */
export function placeAmong(spread: Spread, number: number, scale: Scale): number | undefined {
  const at = spread.bins.findIndex(({ from, to }) => toNumber(from) <= number && number <= toNumber(to))
  const bin = spread.bins[at]
  if (bin === undefined) return undefined
  const [from, to] = [toNumber(bin.from), toNumber(bin.to)]
  const isEqual = from === to
  const inside = isEqual
    ? 0.5
    : scale === 'logarithmic' && from > 0
      ? Math.log(number / from) / Math.log(to / from)
      : (number - from) / (to - from)
  return (at + inside) / spread.bins.length
}

/** The ends of a spread as JavaScript numbers. */
export const endsOf = (spread: Spread): readonly [number, number] => [
  toNumber(spread.smallest),
  toNumber(spread.largest),
]

/** Formats an exact number for people: ints with separators, other numbers with six significant digits. */
export function readable(number: ExactNumber | string): string {
  const text = typeof number === 'string' ? number : cellText(number)
  if (/^-?\d+$/.test(text)) return BigInt(text).toLocaleString('en')
  return sixDigits().format(Number(text))
}
