/** Points counted in squares of about the same size on the screen, whatever the zoom. */
import type { Points } from './collection.ts'
import { latitudeAt, longitudeAt, type Area } from './projection.ts'

/** A square with at least one point. */
export interface Bin {
  /** The number of the square across the world, and down it. */
  readonly column: number
  readonly row: number
  readonly count: number
  /** One of its points, from which `next` leads to the others. */
  readonly head: number
}

/** All squares with points. */
export interface Grid {
  /** So many squares are beside one another around the world. */
  readonly across: number
  readonly bins: ReadonlyMap<number, Bin>
  /** The largest number of points in one of them. */
  readonly most: number
  /** From each point to another one in the same square; -1 after the last. */
  readonly next: Int32Array
}

/** The sides of squares, in pixels: at least this, and less than twice as much. */
const LEAST_SIDE = 7

/** How many squares are around the world when it is so many pixels wide: a power of two, so that they divide when it grows. */
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

/** The square at a place, or the nearest one beside it: squares are small for a finger. */
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

/** The ids of some points of a square. */
export function idsOf({ ids }: Points, { next }: Grid, bin: Bin, most: number): readonly string[] {
  const found: string[] = []
  for (let at = bin.head; at >= 0 && found.length < most; at = next[at] ?? -1) found.push(ids[at] ?? '')
  return found
}

/** Where a square is. */
export const areaOfBin = ({ across }: Grid, { column, row }: Bin): Area => ({
  north: latitudeAt(row / across),
  south: latitudeAt((row + 1) / across),
  west: longitudeAt(column / across),
  // Its right edge may be that of the world, which is the same place as its left one.
  east: longitudeAt(column / across) + 360 / across,
})

/** The squares with the most points. */
export const densest = (bins: readonly Bin[], most: number): readonly Bin[] =>
  bins.toSorted((one, other) => other.count - one.count).slice(0, most)

/** A class of counts, which have one colour: from one number to another. */
export interface Step {
  readonly from: number
  readonly to: number
}

/** So many colours can be told apart. */
export const STEPS = 5

/** The classes of counts up to a largest one, each so many times as far as the one before. */
export function stepsOf(most: number): readonly Step[] {
  const ends = Array.from({ length: STEPS }, (_, at) => Math.max(1, Math.round(most ** ((at + 1) / STEPS))))
  return [...new Set(ends)].map((to, at, all) => ({ from: (all[at - 1] ?? 0) + 1, to }))
}
