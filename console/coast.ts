/** Makes the outlines of land that the map draws, so that browsers need neither all digits nor what reads them. */
import { geoMercatorRaw } from 'd3-geo'
import { feature } from 'topojson-client'
import type { Plugin } from 'vite'
import { ACROSS, writeRings, type OutlinePoint, type Ring } from './src/map/outline.ts'

type Topology = Parameters<typeof feature>[0]
type Geometry = Extract<ReturnType<typeof feature>, { type: 'Feature' }>['geometry']
type Degrees = readonly number[]

/** What is as near to a straight line is as good as on it, as the atlas itself leaves out what is ten times larger. */
const NEAR = 1

/** Where the world of the map has long ended. */
const LAST_LATITUDE = 86

/** Takes the place of an atlas that is imported with `?outline`. */
export const coast = (): Plugin => ({
  name: 'coast',
  enforce: 'pre',
  transform: {
    filter: { id: /\.json\?outline$/ },
    handler(code) {
      const text = writeRings(coastOf(JSON.parse(code) as Topology))
      return { code: `export default ${JSON.stringify(text)}`, moduleType: 'js' }
    },
  },
})

/** The outlines of the land of an atlas, in Mercator's projection: whole numbers, from the upper left corner. */
export function coastOf(atlas: Topology): Ring[] {
  const { land } = atlas.objects
  if (land === undefined) throw new Error('the atlas has no land')
  const found = feature(atlas, land)
  const shapes = found.type === 'FeatureCollection' ? found.features : [found]
  return shapes
    .flatMap(({ geometry }) => linesOf(geometry))
    .map((line) => straightened(whole(line).map(placeOf)))
    .filter((ring) => ring.length > 2)
}

/** The lines around polygons, and around the lakes in them. */
function linesOf(geometry: Geometry): Degrees[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : []
}

/** The line without its leaps at the antimeridian; what goes around the world goes back beyond the south pole. */
function whole(line: readonly Degrees[]): Degrees[] {
  let turns = 0
  const unwound = line.map(([longitude = 0, latitude = 0], at) => {
    const leap = longitude - (line[at - 1]?.[0] ?? longitude)
    if (Math.abs(leap) > 180) turns -= Math.sign(leap)
    return [longitude + 360 * turns, latitude]
  })
  const [first, last] = [unwound[0]?.[0] ?? 0, unwound.at(-1)?.[0] ?? 0]
  return turns === 0 ? unwound.slice(0, -1) : [...unwound, [last, -LAST_LATITUDE], [first, -LAST_LATITUDE]]
}

function placeOf([longitude = 0, latitude = 0]: Degrees): OutlinePoint {
  const radians = Math.PI / 180
  const [x, y] = geoMercatorRaw(longitude * radians, latitude * radians)
  const steps = ACROSS / (2 * Math.PI)
  return [Math.round((Math.PI + x) * steps), Math.round((Math.PI - y) * steps)]
}

/** The line without the places that are as good as on the way from one to another (Douglas and Peucker). */
function straightened(line: Ring): Ring {
  const [first, last] = [line[0], line.at(-1)]
  if (first === undefined || last === undefined || line.length < 3) return line
  const away = line.map((place) => distance(place, first, last))
  const most = Math.max(...away)
  if (most <= NEAR) return first[0] === last[0] && first[1] === last[1] ? [first] : [first, last]
  const at = away.indexOf(most)
  return [...straightened(line.slice(0, at + 1)), ...straightened(line.slice(at)).slice(1)]
}

/** How far a place is from the way between two others. */
function distance([x, y]: OutlinePoint, [fromX, fromY]: OutlinePoint, [toX, toY]: OutlinePoint): number {
  const [wide, high] = [toX - fromX, toY - fromY]
  const length = wide ** 2 + high ** 2
  const part = length === 0 ? 0 : ((x - fromX) * wide + (y - fromY) * high) / length
  const near = Math.max(0, Math.min(1, part))
  return Math.hypot(x - fromX - near * wide, y - fromY - near * high)
}
