/** The tags that say where an object is, and the conditions that find those in an area. */
import { within, type Range } from '../chart/range.ts'
import { rounded } from '../chart/scale.ts'
import { worldOf, type Area, type View } from './projection.ts'

/** The tags of latitudes and longitudes. */
export interface Pair {
  readonly latitude: string
  readonly longitude: string
}

/** What tags of latitudes are called, and what those of longitudes beside them are called then. */
const NAMES: readonly (readonly [latitude: string, longitudes: readonly string[]])[] = [
  ['latitude', ['longitude']],
  ['lat', ['lon', 'lng', 'long']],
]

/** The first two of these tags that are named as a latitude and a longitude, such as `cities/lat` and `cities/lon`. */
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

/** The sides of an area as they are written in a query. */
export interface Sides {
  readonly south: string
  readonly north: string
  readonly west: string
  readonly east: string
}

/** The sides of an area that was drawn in a view, with no digit that one could not see. */
export function sidesOf({ south, north, west, east }: Area, view: View): Sides {
  const pixel = 360 / worldOf(view)
  const written = (degrees: number): string => rounded(degrees, pixel)
  return { south: written(south), north: written(north), west: written(west), east: written(east) }
}

/**
 * The condition that finds what is in an area; a side that is empty does not matter. An area across the antimeridian has
 * two parts.
 */
export function conditionOf({ latitude, longitude }: Pair, { south, north, west, east }: Sides): string {
  const up: Range = { from: south, to: north }
  const isAcross = west !== '' && east !== '' && Number(west) > Number(east)
  const wide = isAcross
    ? `(${longitude} >= ${west} or ${longitude} <= ${east})`
    : within(longitude, { from: west, to: east })
  return [within(latitude, up), wide].filter((condition) => condition !== '').join(' and ')
}

/** Degrees as people write them. */
function degrees(number: number, positive: string, negative: string): string {
  const size = Math.abs(number)
  return `${rounded(size, size < 1 ? 0.001 : 0.01)}° ${number < 0 ? negative : positive}`
}

/** An area in words. */
export const rangeText = ({ south, north, west, east }: Area): string =>
  `${degrees(south, 'N', 'S')} to ${degrees(north, 'N', 'S')}, ${degrees(west, 'E', 'W')} to ${degrees(east, 'E', 'W')}`
