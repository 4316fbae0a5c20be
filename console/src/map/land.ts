/** The coastlines of the world, from Natural Earth. */
import text from 'world-atlas/land-110m.json?outline'
import type { Surface } from '../chart/canvas.tsx'
import { ACROSS, readRings, type Ring } from './outline.ts'
import { acrossOf, downOf, worldOf, type View } from './projection.ts'

const land = readRings(text)

/** The distance between the lines, in degrees. */
const GRID = 10

/** There are no lines nearer to the poles. */
const LAST_LINE = 80

const meridians = linesUpTo(180).map(acrossOf)
const parallels = linesUpTo(LAST_LINE).map(downOf)

function linesUpTo(last: number): number[] {
  return Array.from({ length: (2 * last) / GRID + 1 }, (_, at) => at * GRID - last)
}

/** Draws land, sea and a line at each ten degrees. */
export function drawLand(surface: Surface, view: View): void {
  const { context, width, height, colour } = surface
  context.fillStyle = colour('sea')
  context.fillRect(0, 0, width, height)
  context.lineWidth = 0.5
  context.strokeStyle = colour('graticule')
  context.beginPath()
  for (const left of worldsOf(surface, view)) traceGrid(surface, view, left)
  context.stroke()
  context.lineWidth = 1
  context.fillStyle = colour('land')
  context.strokeStyle = colour('coast')
  context.beginPath()
  const top = height / 2 - view.y * worldOf(view)
  const step = worldOf(view) / ACROSS
  for (const left of worldsOf(surface, view)) {
    for (const ring of land) traceRing(context, ring, ([x, y]) => [left + x * step, top + y * step])
  }
  context.fill()
  context.stroke()
}

/**
 * The left edges of all visible copies of the world. A shape that crosses the antimeridian extends into the next copy.
 */
function worldsOf({ width }: Surface, view: View): number[] {
  const world = worldOf(view)
  const left = width / 2 - view.x * world
  const first = Math.floor(-left / world) - 1
  const last = Math.ceil((width - left) / world)
  return Array.from({ length: last - first + 1 }, (_, at) => left + (first + at) * world)
}

function traceRing(
  context: CanvasRenderingContext2D,
  ring: Ring,
  onScreen: (place: Ring[number]) => [x: number, y: number],
): void {
  ring.forEach((place, at) => {
    if (at === 0) context.moveTo(...onScreen(place))
    else context.lineTo(...onScreen(place))
  })
  context.closePath()
}

function traceGrid({ context, height }: Surface, view: View, left: number): void {
  const world = worldOf(view)
  const down = (y: number): number => height / 2 + (y - view.y) * world
  for (const x of meridians) {
    context.moveTo(left + x * world, down(downOf(LAST_LINE)))
    context.lineTo(left + x * world, down(downOf(-LAST_LINE)))
  }
  for (const y of parallels) {
    context.moveTo(left, down(y))
    context.lineTo(left + world, down(y))
  }
}
