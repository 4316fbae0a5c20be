/** Divides a query by latitudes. */
import { cellText } from '../../../common/values.ts'
import { within } from '../chart/range.ts'
import type { Spread } from '../service/facet.ts'

/** A part of a query. */
export interface Band {
  readonly condition: string
  readonly count: number
}

/** Joins neighbouring bins up to `most` objects, and omits empty ones. */
export function bandsOf({ bins }: Spread, tag: string, most: number): readonly Band[] {
  const groups: { first: number; last: number; count: number }[] = []
  bins.forEach(({ count }, at) => {
    const before = groups.at(-1)
    if (count === 0) return
    if (before !== undefined && before.count + count <= most) {
      before.last = at
      before.count += count
    } else groups.push({ first: at, last: at, count })
  })
  return groups.map(({ first, last, count }) => {
    const isLast = last === bins.length - 1
    const condition = within(tag, {
      from: edge(bins[first]?.from),
      to: edge(bins[last]?.to),
      before: !isLast,
    })
    return { condition, count }
  })
}

const edge = (number: Spread['smallest'] | undefined): string => cellText(number)
