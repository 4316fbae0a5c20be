/** From bins, and from what somebody types, to conditions. */
import type { ExactNumber } from '../../../packages/client/json.ts'
import { textOf, toNumber } from '../../../shared/values.ts'
import type { Facet, Spread } from '../service/facet.ts'
import { sixDigits, type Scale } from './scale.ts'

/** Numbers from one to another, as they are written in a query; `before` leaves out the last one. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly before?: boolean
}

/** What a number looks like in a query: the pattern of fields for one. */
export const NUMBER = String.raw`-?(\d+(\.\d+)?|\.\d+)([eE][+\-]?\d+)?`

/** The condition that finds the numbers of a range; an end that is empty does not matter. */
export function within(tag: string, { from, to, before = false }: Range): string {
  const conditions = [
    ...(from === '' ? [] : [`${tag} >= ${from}`]),
    ...(to === '' ? [] : [`${tag} ${before ? '<' : '<='} ${to}`]),
  ]
  return conditions.join(' and ')
}

/** The numbers of the bins from one to another, to the digit. Between ints, an edge is the int after it. */
export function rangeOf(spread: Spread, first: number, last: number): Range | undefined {
  const [from, to] = [spread.bins[first], spread.bins[last]]
  if (from === undefined || to === undefined) return undefined
  const isLast = last === spread.bins.length - 1
  return { from: textOf(from.from), to: textOf(to.to), before: !isLast }
}

/** The same numbers for a tag that has ints alone: its edges are ints. */
export function ofInts(range: Range): Range {
  const to = range.before === true ? edgeOf(range.to) : range.to
  return { ...range, from: edgeOf(range.from), to }
}

/** The least int that is not before a number. */
const edgeOf = (text: string): string =>
  /^-?\d+$/.test(text) ? text : String(BigInt(Math.ceil(Number(text))))

/** Whether no number of a tag has a fraction. */
export const isOfInts = ({ types }: Facet): boolean => types['float'] === undefined

/** How many numbers are in the bins from one to another. */
export const countOf = (spread: Spread, first: number, last: number): number =>
  spread.bins.slice(first, last + 1).reduce((sum, { count }) => sum + count, 0)

/**
 * Whether almost all numbers would be in one bin of equal widths although they are far apart, as with populations and
 * prices: then powers of ten show more.
 */
function isSkewed(spread: Spread): boolean {
  const total = countOf(spread, 0, spread.bins.length)
  const [smallest, largest] = [toNumber(spread.smallest), toNumber(spread.largest)]
  const most = Math.max(...spread.bins.map(({ count }) => count))
  return smallest >= 0 && largest >= 100 * Math.max(smallest, 1e-9) && most > 0.75 * total && total > 20
}

/** The scale of a tag: what was chosen, or else what shows more. */
export const scaleOf = (chosen: string | undefined, spread: Spread | undefined): Scale =>
  chosen === 'logarithmic' || chosen === 'linear'
    ? chosen
    : spread !== undefined && isSkewed(spread)
      ? 'logarithmic'
      : 'linear'

/** Where a number is among bins that are drawn equally wide: 0 at the first one, 1 after the last. */
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

/** The ends of a spread, for calculating with them. */
export const endsOf = (spread: Spread): readonly [number, number] => [
  toNumber(spread.smallest),
  toNumber(spread.largest),
]

/** An exact number as people read it: with separators, and no more than six digits behind one another that say little. */
export function readable(number: ExactNumber | string): string {
  const text = typeof number === 'string' ? number : textOf(number)
  if (/^-?\d+$/.test(text)) return BigInt(text).toLocaleString('en')
  return sixDigits().format(Number(text))
}
