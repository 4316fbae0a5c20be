/** Draws the squares of points on the map, and the selection. */
import type { Surface } from '../chart/canvas.tsx'
import { stepsOf, STEPS, type Bin, type Grid } from './bins.ts'
import { drawLand } from './land.ts'
import { screenOf, worldOf, type Point, type View } from './projection.ts'

/** The content of a map. */
export interface Shown {
  readonly view: View
  readonly grid: Grid
  /** The selected square. */
  readonly at: Bin | undefined
  /** Two corners of an area that the user is drawing. */
  readonly drawn: readonly [Point, Point] | undefined
}

export function drawMap(surface: Surface, shown: Shown): void {
  drawLand(surface, shown.view)
  drawBins(surface, shown)
  if (shown.at) drawCurrent(surface, shown, shown.at)
  if (shown.drawn) drawArea(surface, shown.view, shown.drawn)
}

/** Squares with more points are darker (brighter in the dark theme) and larger. */
function drawBins(surface: Surface, { view, grid }: Shown): void {
  const { context, width, height, colour } = surface
  const side = worldOf(view) / grid.across
  const steps = stepsOf(grid.most)
  const colours = steps.map((_, at) => colour(`step-${stepNumber(at, steps.length)}`))
  for (const bin of grid.bins.values()) {
    const { x, y } = screenOf(view, surface, {
      x: (bin.column + 0.5) / grid.across,
      y: (bin.row + 0.5) / grid.across,
    })
    if (x < -side || y < -side || x > width + side || y > height + side) continue
    const step = steps.findIndex(({ to }) => bin.count <= to)
    const part = (side - 1) * (0.5 + (0.5 * (step + 1)) / steps.length)
    context.fillStyle = colours[step] ?? ''
    context.fillRect(x - part / 2, y - part / 2, part, part)
  }
}

/** The colour of a class of counts. A few classes have colours as different as possible. */
export const stepNumber = (at: number, count: number): number =>
  count === 1 ? Math.ceil(STEPS / 2) : 1 + Math.round((at * (STEPS - 1)) / (count - 1))

function drawCurrent(surface: Surface, { view, grid }: Shown, { column, row }: Bin): void {
  const { context, colour } = surface
  const side = worldOf(view) / grid.across
  const { x, y } = screenOf(view, surface, { x: (column + 0.5) / grid.across, y: (row + 0.5) / grid.across })
  context.lineWidth = 4
  context.strokeStyle = colour('paper')
  context.strokeRect(x - side / 2 - 1, y - side / 2 - 1, side + 2, side + 2)
  context.lineWidth = 2
  context.strokeStyle = colour('ink')
  context.strokeRect(x - side / 2 - 1, y - side / 2 - 1, side + 2, side + 2)
}

function drawArea(surface: Surface, view: View, [one, other]: readonly [Point, Point]): void {
  const { context, width, height, colour } = surface
  const world = worldOf(view)
  const x = (place: Point): number => width / 2 + (place.x - view.x) * world
  const y = (place: Point): number => height / 2 + (place.y - view.y) * world
  const box = [x(one), y(one), x(other) - x(one), y(other) - y(one)] as const
  context.fillStyle = colour('chosen')
  context.fillRect(...box)
  context.lineWidth = 2
  context.strokeStyle = colour('ink')
  context.strokeRect(...box)
}
