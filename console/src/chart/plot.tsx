/** Draws a scatter plot, and handles the pointer and keys. */
import type { JSX, TargetedPointerEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Canvas, type Surface } from './canvas.tsx'
import { conditionOf, nearest, type Axes, type Dot, type PlotPosition } from './dots.ts'
import { brief, placeOn, ticksOf } from './scale.ts'

interface PlotProps {
  readonly dots: readonly Dot[]
  readonly axes: Axes
  readonly tags: { readonly x: string; readonly y: string }
  /** The dot under the pointer or at the keyboard position. */
  readonly at: number | undefined
  readonly setAt: (at: number | undefined) => void
  readonly onNarrow: (condition: string) => void
}

const ROOM = { left: 60, right: 14, top: 10, bottom: 26 }

/** A shorter drag counts as a click. */
const SHORTEST = 6

export function Plot({ dots, axes, tags, at, setAt, onNarrow }: PlotProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState<readonly [PlotPosition, PlotPosition]>()
  const finish = (event: TargetedPointerEvent<HTMLCanvasElement>): void => {
    const size = sizeOf(event.currentTarget)
    setDrawn(undefined)
    if (drawn === undefined || !isLong(drawn, size)) return
    onNarrow(conditionOf(tags, axes, drawn))
  }
  const move = (event: TargetedPointerEvent<HTMLCanvasElement>): void => {
    const place = placeOf(event)
    if (drawn) setDrawn([drawn[0], place])
    else setAt(nearest(dots, axes, place, sizeOf(event.currentTarget)) ?? at)
  }
  return (
    <Canvas
      class="plot"
      canvas={canvas}
      tabIndex={0}
      role="application"
      aria-label={`Dots of ${tags.x} and ${tags.y}: the arrows go from one to the next`}
      draw={(surface) => drawPlot(surface, { dots, axes, tags }, { at, drawn })}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrawn([placeOf(event), placeOf(event)])
      }}
      onPointerMove={move}
      onPointerUp={finish}
      onPointerCancel={() => setDrawn(undefined)}
      onKeyDown={(event) => {
        const to = targetOf(event.key, at, dots.length)
        if (event.key === 'Escape') setDrawn(undefined)
        if (to === undefined) return
        event.preventDefault()
        setAt(to)
      }}
    />
  )
}

function targetOf(key: string, at: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageDown: 100,
    PageUp: -100,
    Home: -Infinity,
    End: Infinity,
  }
  const step = steps[key]
  if (step === undefined) return undefined
  return Math.max(0, Math.min(count - 1, (at ?? -1) + step))
}

interface Size {
  readonly width: number
  readonly height: number
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLCanvasElement): Size => ({
  width: clientWidth - ROOM.left - ROOM.right,
  height: clientHeight - ROOM.top - ROOM.bottom,
})

function placeOf(event: TargetedPointerEvent<HTMLCanvasElement>): PlotPosition {
  const { left, top } = event.currentTarget.getBoundingClientRect()
  const { width, height } = sizeOf(event.currentTarget)
  return { x: (event.clientX - left - ROOM.left) / width, y: 1 - (event.clientY - top - ROOM.top) / height }
}

const isLong = ([one, other]: readonly [PlotPosition, PlotPosition], { width, height }: Size): boolean =>
  Math.abs(one.x - other.x) * width >= SHORTEST && Math.abs(one.y - other.y) * height >= SHORTEST

interface Drawing {
  readonly dots: readonly Dot[]
  readonly axes: Axes
  readonly tags: { readonly x: string; readonly y: string }
}

interface Marks {
  readonly at: number | undefined
  readonly drawn: readonly [PlotPosition, PlotPosition] | undefined
}

function drawPlot(surface: Surface, { dots, axes, tags }: Drawing, { at, drawn }: Marks): void {
  const { context, colour } = surface
  const size = {
    width: surface.width - ROOM.left - ROOM.right,
    height: surface.height - ROOM.top - ROOM.bottom,
  }
  const x = (place: number): number => ROOM.left + place * size.width
  const y = (place: number): number => ROOM.top + (1 - place) * size.height
  drawGrid(surface, axes)
  const radius = dots.length > 2000 ? 2 : 3
  context.fillStyle = colour('dot')
  for (const dot of dots) {
    context.fillRect(
      x(placeOn(axes.x, dot.x)) - radius,
      y(placeOn(axes.y, dot.y)) - radius,
      2 * radius,
      2 * radius,
    )
  }
  drawNames(surface, tags)
  const current = at === undefined ? undefined : dots[at]
  if (current !== undefined) {
    context.beginPath()
    context.arc(x(placeOn(axes.x, current.x)), y(placeOn(axes.y, current.y)), 7, 0, 2 * Math.PI)
    context.lineWidth = 2.5
    context.strokeStyle = colour('ink')
    context.stroke()
  }
  if (drawn !== undefined) {
    const [one, other] = drawn
    const box = [x(one.x), y(one.y), x(other.x) - x(one.x), y(other.y) - y(one.y)] as const
    context.fillStyle = colour('chosen')
    context.fillRect(...box)
    context.lineWidth = 1
    context.strokeStyle = colour('accent')
    context.strokeRect(...box)
  }
}

function drawGrid({ context, width, height, colour }: Surface, axes: Axes): void {
  const [wide, high] = [width - ROOM.left - ROOM.right, height - ROOM.top - ROOM.bottom]
  context.textBaseline = 'bottom'
  context.textAlign = 'center'
  for (const tick of ticksOf(axes.x, wide / 80)) {
    const x = Math.round(ROOM.left + placeOn(axes.x, tick) * wide)
    context.fillStyle = colour('grid')
    context.fillRect(x, ROOM.top, 1, high)
    context.fillStyle = colour('words')
    context.fillText(brief(tick), x, height - 4)
  }
  context.textBaseline = 'middle'
  context.textAlign = 'right'
  for (const tick of ticksOf(axes.y, high / 50)) {
    const y = Math.round(ROOM.top + (1 - placeOn(axes.y, tick)) * high)
    context.fillStyle = colour('grid')
    context.fillRect(ROOM.left, y, wide, 1)
    context.fillStyle = colour('words')
    context.fillText(brief(tick), ROOM.left - 8, y)
  }
  context.fillStyle = colour('words')
  context.fillRect(ROOM.left, ROOM.top + high, wide, 1)
  context.fillRect(ROOM.left, ROOM.top, 1, high)
}

/** Draws the names of the axes above the dots, so that they stay readable. */
function drawNames({ context, width, height, colour }: Surface, { x, y }: Drawing['tags']): void {
  const write = (text: string, left: number, top: number): void => {
    context.globalAlpha = 0.85
    context.fillStyle = colour('paper')
    context.fillRect(left - 3, top - 2, context.measureText(text).width + 6, 18)
    context.globalAlpha = 1
    context.fillStyle = colour('ink')
    context.fillText(text, left, top)
  }
  context.textAlign = 'left'
  context.textBaseline = 'top'
  write(`↑ ${y}`, ROOM.left + 6, ROOM.top + 2)
  const across = `${x} →`
  write(across, width - ROOM.right - 4 - context.measureText(across).width, height - ROOM.bottom - 20)
}
