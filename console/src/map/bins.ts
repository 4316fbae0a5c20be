/** Counts points in squares of about the same size on the screen at any zoom. */
import type { Points } from './collection.ts'
import { latitudeAt, longitudeAt, type Area } from './projection.ts'

/** A square with at least one point. */
export interface Bin {
  /** The number of the square from left to right, and from the top down. */
  readonly column: number
  readonly row: number
  readonly count: number
  /** One of its points; `next` leads to the others. */
  readonly head: number
}

/** All squares with points. */
export interface Grid {
  /** The number of squares around the world. */
  readonly across: number
  readonly bins: ReadonlyMap<number, Bin>
  /** The largest number of points in a square. */
  readonly most: number
  /** For each point another one in the same square; -1 after the last. */
  readonly next: Int32Array
}

/** The least side of a square, in pixels; the side is less than twice as much. */
const LEAST_SIDE = 7

/**
 * The number of squares around a world of that width in pixels: a power of two, so that squares divide evenly at a larger
 * zoom.
 */
export const acrossFor = (world: number): number => 2 ** Math.floor(Math.log2(world / LEAST_SIDE))

/** Counts the points. */
export function gridOf({ count, x, y }: Points, across: number): Grid {
  const bins = new Map<number, { column: number; row: number; count: number; head: number }>()
  const next = new Int32Array(count).fill(-1)
  let most = 0
  for (let at = 0; at < count; at += 1) {
    const column = Math.min(across - 1, Math.floor((x[at] ?? 0) * across))
    const row = Math.min(across - 1, Math.floor((y[at] ?? 0) * across))
    const key = row * across + column
    const bin = bins.get(key)
    if (bin === undefined) bins.set(key, { column, row, count: 1, head: at })
    else {
      next[at] = bin.head
      bin.head = at
      bin.count += 1
    }
    most = Math.max(most, bin?.count ?? 1)
  }
  return { across, bins, most, next }
}

/** The square at a position, or the nearest one beside it, because squares are small for a finger. */
export function binNear(
  { across, bins }: Grid,
  place: { readonly x: number; readonly y: number },
): Bin | undefined {
  const [x, y] = [(place.x - Math.floor(place.x)) * across, place.y * across]
  let best: Bin | undefined
  let least = Infinity
  for (const row of beside(y)) {
    for (const column of beside(x)) {
      const bin = bins.get(row * across + ((column + across) % across))
      const distance = Math.hypot(column + 0.5 - x, row + 0.5 - y)
      if (bin !== undefined && distance < least) [best, least] = [bin, distance]
    }
  }
  return best
}

const beside = (at: number): readonly number[] => [Math.floor(at) - 1, Math.floor(at), Math.floor(at) + 1]

/** The ids of some points in a square. */
export function idsOf({ ids }: Points, { next }: Grid, bin: Bin, most: number): readonly string[] {
  const found: string[] = []
  for (let at = bin.head; at >= 0 && found.length < most; at = next[at] ?? -1) found.push(ids[at] ?? '')
  return found
}

/** The area of a square. */
export const areaOfBin = ({ across }: Grid, { column, row }: Bin): Area => ({
  north: latitudeAt(row / across),
  south: latitudeAt((row + 1) / across),
  west: longitudeAt(column / across),
  // Its right edge may be that of the world, which has the same longitude as the left one.
  east: longitudeAt(column / across) + 360 / across,
})

/** The squares with the most points. */
export const densest = (bins: readonly Bin[], most: number): readonly Bin[] =>
  bins.toSorted((one, other) => other.count - one.count).slice(0, most)

/** A class of counts with the same colour: from one number to another. */
export interface Step {
  readonly from: number
  readonly to: number
}

/** The number of colours that a user can distinguish. */
export const STEPS = 5

/** The classes of counts up to the largest one; each limit is the same multiple of the one before. */
export function stepsOf(most: number): readonly Step[] {
  const ends = Array.from({ length: STEPS }, (_, at) => Math.max(1, Math.round(most ** ((at + 1) / STEPS))))
  return [...new Set(ends)].map((to, at, all) => ({ from: (all[at - 1] ?? 0) + 1, to }))
}
