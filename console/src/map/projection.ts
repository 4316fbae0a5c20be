/**
 * Converts latitudes and longitudes to positions on the screen and back, with the Mercator projection, in which areas
 * stay rectangles.
 */

/**
 * The visible part of the world: the position in the middle, 0 to 1 from left to right and from the top down, and the
 * zoom.
 */
export interface View {
  readonly x: number
  readonly y: number
  /** The whole world is 256 pixels wide at 0, and twice as wide at 1. */
  readonly zoom: number
}

/** Lengths in CSS pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** An area between these degrees; if `west` is larger than `east`, it crosses the antimeridian. */
export interface Area {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/** The Mercator world ends at this latitude, where it is as high as wide. */
const LAST_LATITUDE = 85.0511287798066

const MOST_ZOOM = 16

/** The horizontal position of a longitude, 0 to 1. */
export const acrossOf = (longitude: number): number => longitude / 360 + 0.5

/** The vertical position of a latitude, 0 to 1. */
export function downOf(latitude: number): number {
  const sine = Math.sin((Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, latitude)) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

/** The longitude of a position, -180 to 180. */
export const longitudeAt = (x: number): number => (wrapped(x) - 0.5) * 360

/** The latitude of a position. */
export const latitudeAt = (y: number): number =>
  (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI

/** The same position within the world, 0 to 1. */
const wrapped = (x: number): number => x - Math.floor(x)

/** The width of the world in pixels. */
export const worldOf = ({ zoom }: View): number => 256 * 2 ** zoom

/** The position of a place on the screen, by the shorter way from the middle. */
export function screenOf(view: View, { width, height }: Size, place: Point): Point {
  const world = worldOf(view)
  return {
    x: width / 2 + (wrapped(place.x - view.x + 0.5) - 0.5) * world,
    y: height / 2 + (place.y - view.y) * world,
  }
}

/** The place at a position on the screen. Its `x` is not wrapped, so that places further right have a larger one. */
export function placeAt(view: View, { width, height }: Size, screen: Point): Point {
  const world = worldOf(view)
  return { x: view.x + (screen.x - width / 2) / world, y: view.y + (screen.y - height / 2) / world }
}

/** The nearest valid view: not beyond the poles, not smaller than the screen, and not too large. */
export function kept({ x, y, zoom }: View, { width, height }: Size): View {
  const least = Math.log2(Math.max(height, Math.min(width, 2 * height)) / 256)
  const size = Math.max(least, Math.min(MOST_ZOOM, zoom))
  const half = height / 2 / (256 * 2 ** size)
  return { x: wrapped(x), y: half >= 0.5 ? 0.5 : Math.max(half, Math.min(1 - half, y)), zoom: size }
}

/** The view zoomed by `by` doublings; the place at `around` keeps its position on the screen. */
export function zoomed(view: View, size: Size, by: number, around: Point): View {
  const place = placeAt(view, size, around)
  const { zoom } = kept({ ...view, zoom: view.zoom + by }, size)
  const world = 256 * 2 ** zoom
  const x = place.x - (around.x - size.width / 2) / world
  const y = place.y - (around.y - size.height / 2) / world
  return kept({ x, y, zoom }, size)
}

/** The view moved by these pixels. */
export const moved = (view: View, size: Size, { x, y }: Point): View =>
  kept({ ...view, x: view.x - x / worldOf(view), y: view.y - y / worldOf(view) }, size)

/** The view that shows an area with a margin. An area higher than the screen gets the view of the whole world. */
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

/** The zoom for a single place. */
const LARGEST = 10

/** The usual extent of a world map. */
export const WORLD: Area = { south: -56, north: 76, west: -180, east: 180 }

/** The area between two places; the second one may be right or left of the first. */
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

/** A view in a URL: longitude, latitude, zoom. */
export function viewText(view: View): string {
  const digits = Math.max(1, Math.ceil(view.zoom / 3))
  const [longitude, latitude] = [longitudeAt(view.x), latitudeAt(view.y)]
  return [longitude.toFixed(digits), latitude.toFixed(digits), view.zoom.toFixed(2)].join(',')
}

/** Parses a view in a URL; undefined if it is invalid. */
export function parseView(text: string | null): View | undefined {
  const [longitude = NaN, latitude = NaN, zoom = NaN] = (text ?? '').split(',').map(Number)
  if (![longitude, latitude, zoom].every(Number.isFinite)) return undefined
  return { x: wrapped(acrossOf(longitude)), y: downOf(latitude), zoom }
}
