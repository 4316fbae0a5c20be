/** The coastlines of the world, from Natural Earth. */
import { geoGraticule10, geoMercator, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import atlas from 'world-atlas/land-110m.json' with { type: 'json' }
import type { Surface } from '../chart/canvas.tsx'
import { latitudeAt, longitudeAt, worldOf, type View } from './projection.ts'

type Topology = Parameters<typeof feature>[0]

const topology = atlas as unknown as Topology
const land = feature(topology, atlas.objects.land as unknown as Topology['objects'][string])
const graticule = geoGraticule10()

/** Draws land, sea and a line for each ten degrees. */
export function drawLand({ context, width, height, colour }: Surface, view: View): void {
  const projection = geoMercator()
    .scale(worldOf(view) / (2 * Math.PI))
    .rotate([-longitudeAt(view.x), 0])
    .center([0, latitudeAt(view.y)])
    .translate([width / 2, height / 2])
    .clipExtent([
      [-2, -2],
      [width + 2, height + 2],
    ])
  const path = geoPath(projection, context)
  context.fillStyle = colour('sea')
  context.fillRect(0, 0, width, height)
  context.lineWidth = 0.5
  context.strokeStyle = colour('graticule')
  context.beginPath()
  path(graticule)
  context.stroke()
  context.lineWidth = 1
  context.fillStyle = colour('land')
  context.strokeStyle = colour('coast')
  context.beginPath()
  path(land)
  context.fill()
  context.stroke()
}
