/** Finds the tags of coordinates, and makes conditions for an area. */
import { within, type Range } from '../chart/range.ts'
import { rounded } from '../chart/scale.ts'
import { worldOf, type Area, type View } from './projection.ts'

/** The tags of latitudes and longitudes. */
export interface Pair {
  readonly latitude: string
  readonly longitude: string
}

/** Names of latitude tags, each with the names of longitude tags beside it. */
const NAMES: readonly (readonly [latitude: string, longitudes: readonly string[]])[] = [
  ['latitude', ['longitude']],
  ['lat', ['lon', 'lng', 'long']],
]

/** The first two of these tags whose names fit a latitude and a longitude, such as `cities/lat` and `cities/lon`. */
export function pairAmong(tags: readonly string[]): Pair | undefined {
  const known = new Map(tags.map((tag) => [tag.toLowerCase(), tag]))
  for (const tag of tags) {
    for (const [name, longitudes] of NAMES) {
      const named = new RegExp(`(^|[/_.:-])${name}$`).exec(tag.toLowerCase())
      if (named === null) continue
      const start = tag.toLowerCase().slice(0, named.index) + (named[1] ?? '')
      const longitude = longitudes
        .map((other) => known.get(start + other))
        .find((other) => other !== undefined)
      if (longitude !== undefined) return { latitude: tag, longitude }
    }
  }
  return undefined
}

/** The sides of an area in the syntax of a query. */
export interface Sides {
  readonly south: string
  readonly north: string
  readonly west: string
  readonly east: string
}

/** The sides of an area that the user has drawn in a view, without more digits than a user can see. */
export function sidesOf({ south, north, west, east }: Area, view: View): Sides {
  const pixel = 360 / worldOf(view)
  const written = (degrees: number): string => rounded(degrees, pixel)
  return { south: written(south), north: written(north), west: written(west), east: written(east) }
}

/** The condition for an area; an empty side means no limit. An area across the antimeridian has two parts. */
export function conditionOf({ latitude, longitude }: Pair, { south, north, west, east }: Sides): string {
  const up: Range = { from: south, to: north }
  const isAcross = west !== '' && east !== '' && Number(west) > Number(east)
  const wide = isAcross
    ? `(${longitude} >= ${west} or ${longitude} <= ${east})`
    : within(longitude, { from: west, to: east })
  return [within(latitude, up), wide].filter((condition) => condition !== '').join(' and ')
}

/** Formats degrees for people. */
function degrees(number: number, positive: string, negative: string): string {
  const size = Math.abs(number)
  return `${rounded(size, size < 1 ? 0.001 : 0.01)}° ${number < 0 ? negative : positive}`
}

/** An area in words. */
export const rangeText = ({ south, north, west, east }: Area): string =>
  `${degrees(south, 'N', 'S')} to ${degrees(north, 'N', 'S')}, ${degrees(west, 'E', 'W')} to ${degrees(east, 'E', 'W')}`
