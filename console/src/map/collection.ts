/** Points while they arrive. */
import { acrossOf, downOf, type Area } from './projection.ts'

/** Objects with their places. The arrays are as long as there is room for; `count` says how many there are. */
export interface Points {
  readonly count: number
  readonly ids: readonly string[]
  /** 0 to 1 across the world and down it. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** Where they all are; undefined if there are none. */
  readonly area: Area | undefined
}

/** Takes points, with room for so many as are expected; more get room, too. */
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

  /** There may be more than were counted before. */
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
