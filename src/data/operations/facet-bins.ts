/** Divides numbers into bins. Edges are sort keys, which order ints and floats exactly, so each number is in one bin. */
import { KEY, numberOfKey, sortKey } from '../values/encoding.ts'
import { numberJson, type Group } from './facet-values.ts'

/** Into parts of equal size, or by equal factors. */
export type Scale = 'linear' | 'logarithmic'

/** The numbers from `from` (included) to `to` (excluded, except in the last bin). Both are JSON. */
export interface NumberBin {
  readonly from: string
  readonly to: string
  readonly count: number
}

/** The smallest and the largest number. */
export interface Ends {
  readonly smallest: Group
  readonly largest: Group
  /** The smallest positive number, if there is one. */
  readonly leastPositive: Group | undefined
}

/**
 * At most `bins` bins, one more for zero and negative numbers if the scale is logarithmic. `countBetween` counts the
 * numbers before the first edge, from it to the second, and so on, and those from the last on.
 */
export async function binsOf(
  ends: Ends,
  { bins, scale }: { readonly bins: number; readonly scale: Scale },
  countBetween: (edges: readonly Buffer[]) => Promise<number[]>,
): Promise<NumberBin[]> {
  const edges = edgesOf(ends, bins, scale)
  const counts = await countBetween(edges.map(({ key }) => key))
  const places = [ends.smallest, ...edges, ends.largest].map(numberJson)
  return counts.map((count, i) => ({ from: places[i] ?? '', to: places[i + 1] ?? '', count }))
}

/** The edges between the smallest and the largest number, ascending. */
function edgesOf({ smallest, largest, leastPositive }: Ends, bins: number, scale: Scale): Group[] {
  if (scale === 'linear') return between(smallest, largest, dividing(bins, linear))
  if (leastPositive === undefined) return []
  const own = Buffer.compare(smallest.key, leastPositive.key) < 0 ? [leastPositive] : []
  return [...own, ...between(leastPositive, largest, dividing(bins, logarithmic))]
}

/** Returns the points that divide an interval into a number of parts. */
type Divide = (from: number, to: number) => number[]

const dividing =
  (bins: number, at: (from: number, to: number, part: number, parts: number) => number): Divide =>
  (from, to) =>
    Array.from({ length: bins - 1 }, (_, i) => at(from, to, i + 1, bins))

function linear(from: number, to: number, part: number, parts: number): number {
  const sum = from * (parts - part) + to * part
  // The sum is more exact, but may be too large for a double.
  return Number.isFinite(sum) ? sum / parts : from * (1 - part / parts) + to * (part / parts)
}

/** By powers of ten, so that these are exact. */
const logarithmic = (from: number, to: number, part: number, parts: number): number =>
  10 ** linear(Math.log10(from), Math.log10(to), part, parts)

/** The numbers from `divide`, without those that would make a bin of no width. */
function between(from: Group, to: Group, divide: Divide): Group[] {
  const edges: Group[] = []
  let last = from.key
  for (const double of divide(doubleOf(from), doubleOf(to))) {
    const edge = { key: numberKey(double), count: 0, ints: 0 }
    if (Buffer.compare(last, edge.key) >= 0 || Buffer.compare(edge.key, to.key) >= 0) continue
    edges.push(edge)
    last = edge.key
  }
  return edges
}

const doubleOf = ({ key }: Group): number => numberOfKey(key)?.double ?? 0

const numberKey = (value: number): Buffer => sortKey({ type: 'float', value, json: '' })

/** The range of the keys of all numbers: `from` is included, `to` is excluded. */
export const NUMBER_KEYS = { from: Buffer.of(KEY.number), to: Buffer.of(KEY.number + 1) }

/** The key of zero. */
export const ZERO_KEY = numberKey(0)
