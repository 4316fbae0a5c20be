/** Computes positions in a scatter plot: of objects, of the nearest dot, and of a rectangle. */
import type { Found } from '../service/page.ts'
import { axisOf, placeOn, writtenAt, type Axis, type Scale } from './scale.ts'
import { within } from './range.ts'

/** An object with its two numbers. */
export interface Dot {
  readonly found: Found
  readonly x: number
  readonly y: number
}

/** The two axes of a plot. */
export interface Axes {
  readonly x: Axis
  readonly y: Axis
}

/** Axes that contain all these dots; a logarithmic axis has no place for numbers that are not positive. */
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

/** The dots with a place on the axes, from left to right. */
export const inOrder = (dots: readonly Dot[], { x, y }: Axes): readonly Dot[] =>
  dots
    .filter((dot) => (x.scale === 'linear' || dot.x > 0) && (y.scale === 'linear' || dot.y > 0))
    .sort((one, other) => one.x - other.x || one.y - other.y)

/** A position on a plot: 0 to 1 from left to right, and from the bottom up. */
export interface PlotPosition {
  readonly x: number
  readonly y: number
}

/** The dot nearest to a position, if it is near enough; `width` and `height` are those of the plot. */
export function nearest(
  dots: readonly Dot[],
  axes: Axes,
  place: PlotPosition,
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

/** The condition for the objects between two corners, without more digits than a user can see. */
export function conditionOf(
  tags: { readonly x: string; readonly y: string },
  axes: Axes,
  [one, other]: readonly [PlotPosition, PlotPosition],
): string {
  const side = (axis: 'x' | 'y'): string => {
    const [from, to] = [Math.min(one[axis], other[axis]), Math.max(one[axis], other[axis])]
    const written = (place: number): string => writtenAt(axes[axis], Math.max(0, Math.min(1, place)), STEPS)
    return within(tags[axis], { from: written(from), to: written(to) })
  }
  return `${side('x')} and ${side('y')}`
}

/** The number of positions that a user can distinguish on an axis. */
const STEPS = 500
