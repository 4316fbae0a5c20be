/** The map with its buttons, and the details of the selected square. */
import type { CanvasHTMLAttributes, JSX, RefObject } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { Canvas } from '../chart/canvas.tsx'
import { conditionOf, sidesOf, type Pair } from './area.ts'
import { acrossFor, binNear, gridOf } from './bins.ts'
import { drawMap, type Shown } from './draw.ts'
import { AreaForm } from './area-form.tsx'
import { Square } from './square.tsx'
import { useGestures } from './gestures.ts'
import { Legend } from './legend.tsx'
import { Places } from './places.tsx'
import type { Points } from './collection.ts'
import { kept, worldOf, zoomed, type Point, type Size, type View } from './projection.ts'
import { useSize, useView } from './viewing.ts'

interface AtlasProps {
  readonly points: Points | undefined
  /** Whether all points are loaded. */
  readonly isDone: boolean
  readonly pair: Pair
  readonly name: string | undefined
  readonly onNarrow: (condition: string) => void
}

const NO_POINTS: Points = { count: 0, ids: [], x: new Float64Array(), y: new Float64Array(), area: undefined }

export function Atlas({ points = NO_POINTS, isDone, pair, name, onNarrow }: AtlasProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isChoosing, setChoosing] = useState(false)
  const size = useSize(canvas)
  const { view, viewIn, setView } = useView(size, isDone ? points.area : undefined)
  const across = acrossFor(worldOf(view))
  const grid = useMemo(() => gridOf(points, across), [points, across])
  const [at, setAt] = useState<Point>()
  const bin = at && binNear(grid, at)
  const [drawn, setDrawn] = useState<readonly [Point, Point]>()
  const handlers = useGestures(canvas, {
    view: viewIn,
    onView: setView,
    isChoosing,
    onDraw: setDrawn,
    onArea: (area) => {
      setChoosing(false)
      onNarrow(conditionOf(pair, sidesOf(area, view)))
    },
    onPoint: (place) => {
      const pointed = binNear(grid, place)
      if (pointed !== undefined && pointed !== bin) setAt(place)
    },
    onPick: (place, screen, room) => {
      const picked = binNear(grid, place)
      setAt(place)
      // A finger does not hover, so the first touch only selects the square; the next one zooms.
      if (picked !== undefined && picked === bin) setView(zoomed(viewIn(room), room, 2, screen))
    },
    onCancel: () => setChoosing(false),
  })
  const goTo = (place: Point): void => {
    setAt(place)
    setView(kept({ ...place, zoom: view.zoom + 2 }, size))
  }
  return (
    <>
      <div class={`atlas ${isChoosing ? 'choosing' : ''}`}>
        <MapCanvas canvas={canvas} handlers={handlers} shown={{ viewIn, grid, at: bin, drawn }} />
        <Buttons {...{ view, size, setView, isChoosing, setChoosing }} />
        <Legend most={grid.most} />
      </div>
      <Square {...{ points, grid, bin, pair, view, name, onNarrow }} />
      <Places {...{ points, grid, view, size }} onGo={goTo} />
      <AreaForm pair={pair} onNarrow={onNarrow} />
    </>
  )
}

interface MapCanvasProps {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly handlers: CanvasHTMLAttributes
  readonly shown: Omit<Shown, 'view'> & { readonly viewIn: (size: Size) => View }
}

const MapCanvas = ({ canvas, handlers, shown: { viewIn, ...shown } }: MapCanvasProps): JSX.Element => (
  <Canvas
    class="map"
    canvas={canvas}
    tabIndex={0}
    role="application"
    aria-label="Map: plus and minus change its size, the arrows move it, Enter goes to what is in its middle"
    draw={(surface) => drawMap(surface, { ...shown, view: viewIn(surface) })}
    {...handlers}
  />
)

interface ButtonsProps {
  readonly view: View
  readonly size: Size
  readonly setView: (view: View | undefined) => void
  readonly isChoosing: boolean
  readonly setChoosing: (isChoosing: boolean) => void
}

const Buttons = ({ view, size, setView, isChoosing, setChoosing }: ButtonsProps): JSX.Element => (
  <div class="map-buttons" role="group" aria-label="Map">
    <button
      type="button"
      aria-label="Larger"
      title="Larger (+)"
      onClick={() => setView(enlarged(view, size, 1))}
    >
      +
    </button>
    <button
      type="button"
      aria-label="Smaller"
      title="Smaller (-)"
      onClick={() => setView(enlarged(view, size, -1))}
    >
      −
    </button>
    <button type="button" title="Show all objects" onClick={() => setView(undefined)}>
      All
    </button>
    <button
      type="button"
      aria-pressed={isChoosing}
      title="Draw a rectangle; Shift and dragging does the same"
      onClick={() => setChoosing(!isChoosing)}
    >
      {isChoosing ? 'Now draw it' : 'Choose an area'}
    </button>
  </div>
)

const enlarged = (view: View, size: Size, by: number): View =>
  zoomed(view, size, by, { x: size.width / 2, y: size.height / 2 })
