/** The objects of a scatter plot: where each is, and which is next. */
import { numberOf } from '../facets/guess.ts'
import { both } from '../query/compose.ts'
import { fetchPage, type Found } from '../service/search.ts'
import { axisOf, placeOn, writtenAt, type Axis, type Scale } from './scale.ts'
import { within } from './range.ts'

/** An object with the two numbers that it is drawn by. */
export interface Dot {
  readonly found: Found
  readonly x: number
  readonly y: number
}

/** So many objects are drawn at most. */
export const MOST_DOTS = 10_000

/** How far a plot is. */
export interface Dots {
  readonly dots: readonly Dot[]
  /** How many objects have both tags. */
  readonly count: number
  readonly isComplete: boolean
}

interface Wanted {
  readonly query: string
  readonly x: string
  readonly y: string
  /** What else to know of each object. */
  readonly name: string | undefined
}

/** Yields the objects with both numbers as they arrive, a page more each time. Throws a `ServiceError`. */
export async function* fetchDots({ query, x, y, name }: Wanted, signal: AbortSignal): AsyncGenerator<Dots> {
  const asked = both(query, `has ${x} and has ${y}`)
  const columns = [...new Set([x, y, ...(name === undefined ? [] : [name])])]
  let dots: readonly Dot[] = []
  let count = 0
  let read = 0
  let cursor: string | undefined
  do {
    const page = await fetchPage(
      { query: asked, columns, cursor, limit: 1000, ...(read === 0 && { count: 'exact' }) },
      signal,
    )
    count = page.count ?? count
    read += page.results.length
    dots = [...dots, ...page.results.flatMap((found) => dotOf(found, x, y))]
    cursor = read < MOST_DOTS ? page.next : undefined
    yield { dots, count, isComplete: cursor === undefined }
  } while (cursor !== undefined)
}

function dotOf(found: Found, x: string, y: string): readonly Dot[] {
  const [across, up] = [numberOf(found.values[x]), numberOf(found.values[y])]
  return across === undefined || up === undefined ? [] : [{ found, x: across, y: up }]
}

/** The two axes of a plot. */
export interface Axes {
  readonly x: Axis
  readonly y: Axis
}

/** Axes on which all these are; what is not positive has no place on a logarithmic one. */
export const axesOf = (dots: readonly Dot[], x: Scale, y: Scale): Axes => ({
  x: axisOf(
    dots.map((dot) => dot.x),
    x,
  ),
  y: axisOf(
    dots.map((dot) => dot.y),
    y,
  ),
})

/** Those that have a place on the axes, from left to right. */
export const inOrder = (dots: readonly Dot[], { x, y }: Axes): readonly Dot[] =>
  dots
    .filter((dot) => (x.scale === 'linear' || dot.x > 0) && (y.scale === 'linear' || dot.y > 0))
    .sort((one, other) => one.x - other.x || one.y - other.y)

/** A place on a plot: 0 to 1 from left to right, and from the bottom up. */
export interface Place {
  readonly x: number
  readonly y: number
}

/** Which dot is the nearest one to a place, and near enough; `width` and `height` are those of the plot. */
export function nearest(
  dots: readonly Dot[],
  axes: Axes,
  place: Place,
  size: { readonly width: number; readonly height: number },
): number | undefined {
  const FAR = 24
  let best: number | undefined
  let least = FAR ** 2
  dots.forEach((dot, at) => {
    const across = (placeOn(axes.x, dot.x) - place.x) * size.width
    const up = (placeOn(axes.y, dot.y) - place.y) * size.height
    const distance = across ** 2 + up ** 2
    if (distance < least) [best, least] = [at, distance]
  })
  return best
}

/** The condition that finds what is between two corners, with no digit that one could not see. */
export function conditionOf(
  tags: { readonly x: string; readonly y: string },
  axes: Axes,
  [one, other]: readonly [Place, Place],
): string {
  const side = (axis: 'x' | 'y'): string => {
    const [from, to] = [Math.min(one[axis], other[axis]), Math.max(one[axis], other[axis])]
    const written = (place: number): string => writtenAt(axes[axis], Math.max(0, Math.min(1, place)), STEPS)
    return within(tags[axis], { from: written(from), to: written(to) })
  }
  return `${side('x')} and ${side('y')}`
}

/** So many places one can tell apart on an axis. */
const STEPS = 500
