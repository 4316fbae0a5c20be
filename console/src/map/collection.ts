/** Collects points as they arrive. */
import { acrossOf, downOf, type Area } from './projection.ts'

/** Objects with their coordinates. The arrays have the length of the allocated room; `count` is the number of points. */
export interface Points {
  readonly count: number
  readonly ids: readonly string[]
  /** Positions from 0 to 1, from left to right and from the top down. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** The area of all points; undefined if there are none. */
  readonly area: Area | undefined
}

/** Collects points, with room for the expected number, and grows if there are more. */
export class Collection {
  readonly #ids: string[] = []
  #x: Float64Array
  #y: Float64Array
  #area: Area | undefined

  constructor(expected: number) {
    this.#x = new Float64Array(expected)
    this.#y = new Float64Array(expected)
  }

  add(id: string, latitude: unknown, longitude: unknown): void {
    if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180)) return
    const at = this.#ids.length
    if (at === this.#x.length) this.#grow()
    this.#ids.push(id)
    this.#x[at] = acrossOf(longitude)
    this.#y[at] = downOf(latitude)
    const { south, north, west, east } = this.#area ?? { south: 90, north: -90, west: 180, east: -180 }
    this.#area = {
      south: Math.min(south, latitude),
      north: Math.max(north, latitude),
      west: Math.min(west, longitude),
      east: Math.max(east, longitude),
    }
  }

  /** There may be more points than the earlier count. */
  #grow(): void {
    const [x, y] = [this.#x, this.#y]
    const length = 2 * x.length + 1
    this.#x = new Float64Array(length)
    this.#y = new Float64Array(length)
    this.#x.set(x)
    this.#y.set(y)
  }

  points(): Points {
    return { count: this.#ids.length, ids: this.#ids, x: this.#x, y: this.#y, area: this.#area }
  }
}

const isDegrees = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most
