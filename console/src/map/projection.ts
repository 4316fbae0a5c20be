/** From latitudes and longitudes to places on the screen and back: Mercator, in which any rectangle stays one. */

/** The part of the world that is shown: which place is in the middle, 0 to 1 across the world and down it, and how large. */
export interface View {
  readonly x: number
  readonly y: number
  /** The whole world is 256 pixels wide at 0, and twice as wide at 1. */
  readonly zoom: number
}

/** Lengths in pixels of CSS. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The part of the world between these degrees; where `west` is the larger one, it is across the antimeridian. */
export interface Area {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/** Mercator's world ends here, where it is as high as wide. */
const LAST_LATITUDE = 85.0511287798066

const MOST_ZOOM = 16

/** Where a longitude is across the world, 0 to 1. */
export const acrossOf = (longitude: number): number => longitude / 360 + 0.5

/** Where a latitude is down the world, 0 to 1. */
export function downOf(latitude: number): number {
  const sine = Math.sin((Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, latitude)) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

/** The longitude of a place, -180 to 180. */
export const longitudeAt = (x: number): number => (wrapped(x) - 0.5) * 360

/** The latitude of a place. */
export const latitudeAt = (y: number): number =>
  (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI

/** The same place of the world, 0 to 1. */
const wrapped = (x: number): number => x - Math.floor(x)

/** How wide the world is, in pixels. */
export const worldOf = ({ zoom }: View): number => 256 * 2 ** zoom

/** Where a place is on the screen, by the shorter way from the middle. */
export function screenOf(view: View, { width, height }: Size, place: Point): Point {
  const world = worldOf(view)
  return {
    x: width / 2 + (wrapped(place.x - view.x + 0.5) - 0.5) * world,
    y: height / 2 + (place.y - view.y) * world,
  }
}

/** Which place is there on the screen. Its `x` is not wrapped, so that what is right of another place is more. */
export function placeAt(view: View, { width, height }: Size, screen: Point): Point {
  const world = worldOf(view)
  return { x: view.x + (screen.x - width / 2) / world, y: view.y + (screen.y - height / 2) / world }
}

/** The view as it can be: neither beyond the poles, nor smaller than the screen has room for, nor too large. */
export function kept({ x, y, zoom }: View, { width, height }: Size): View {
  const least = Math.log2(Math.max(height, Math.min(width, 2 * height)) / 256)
  const size = Math.max(least, Math.min(MOST_ZOOM, zoom))
  const half = height / 2 / (256 * 2 ** size)
  return { x: wrapped(x), y: half >= 0.5 ? 0.5 : Math.max(half, Math.min(1 - half, y)), zoom: size }
}

/** The view larger by `by` doublings; what is there on the screen stays there. */
export function zoomed(view: View, size: Size, by: number, around: Point): View {
  const place = placeAt(view, size, around)
  const { zoom } = kept({ ...view, zoom: view.zoom + by }, size)
  const world = 256 * 2 ** zoom
  const x = place.x - (around.x - size.width / 2) / world
  const y = place.y - (around.y - size.height / 2) / world
  return kept({ x, y, zoom }, size)
}

/** The view moved by so many pixels. */
export const moved = (view: View, size: Size, { x, y }: Point): View =>
  kept({ ...view, x: view.x - x / worldOf(view), y: view.y - y / worldOf(view) }, size)

/** The view that an area fills, with a margin. What is higher than the screen is shown like the whole world. */
export function viewOf(area: Area, size: Size): View {
  const [west, east] = [acrossOf(area.west), acrossOf(area.east)]
  const wide = west <= east ? east - west : east - west + 1
  const [top, bottom] = [downOf(area.north), downOf(area.south)]
  const world = Math.min(size.width / Math.max(wide, 1e-6), size.height / Math.max(bottom - top, 1e-6))
  const view = kept(
    { x: west + wide / 2, y: (top + bottom) / 2, zoom: Math.min(Math.log2(world / 256) - 0.2, LARGEST) },
    size,
  )
  const isTooHigh = (bottom - top) * worldOf(view) > size.height
  return isTooHigh ? kept({ ...view, y: (downOf(WORLD.north) + downOf(WORLD.south)) / 2 }, size) : view
}

/** How large a single place is shown. */
const LARGEST = 10

/** What people take for the whole world. */
export const WORLD: Area = { south: -56, north: 76, west: -180, east: 180 }

/** The area between two places, the second of which is right of the first or left of it. */
export function areaOf(one: Point, other: Point): Area {
  const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)]
  const isAll = right - left >= 1
  return {
    north: latitudeAt(Math.min(one.y, other.y)),
    south: latitudeAt(Math.max(one.y, other.y)),
    west: isAll ? -180 : longitudeAt(left),
    east: isAll ? 180 : longitudeAt(right),
  }
}

/** A view as a URL has it: longitude, latitude, zoom. */
export function viewText(view: View): string {
  const digits = Math.max(1, Math.ceil(view.zoom / 3))
  const [longitude, latitude] = [longitudeAt(view.x), latitudeAt(view.y)]
  return [longitude.toFixed(digits), latitude.toFixed(digits), view.zoom.toFixed(2)].join(',')
}

/** The view that a URL says; undefined if it says none. */
export function parseView(text: string | null): View | undefined {
  const [longitude = NaN, latitude = NaN, zoom = NaN] = (text ?? '').split(',').map(Number)
  if (![longitude, latitude, zoom].every(Number.isFinite)) return undefined
  return { x: wrapped(acrossOf(longitude)), y: downOf(latitude), zoom }
}
