/** Handles touch, mouse and keys on a map. */
import type { CanvasHTMLAttributes, RefObject, TargetedPointerEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { areaOf, moved, placeAt, zoomed, type Area, type Point, type Size, type View } from './projection.ts'

/** The actions of a map. */
export interface Actions {
  readonly view: (size: Size) => View
  readonly onView: (view: View) => void
  /** Whether dragging draws an area instead of moving the map; with Shift it always does. */
  readonly isChoosing: boolean
  readonly onDraw: (corners: readonly [Point, Point] | undefined) => void
  readonly onArea: (area: Area) => void
  /** The pointer is at this position. */
  readonly onPoint: (place: Point) => void
  /** The user has clicked a position, or selected it with a key. */
  readonly onPick: (place: Point, screen: Point, size: Size) => void
  readonly onCancel: () => void
}

interface Gesture {
  readonly kind: 'move' | 'area' | 'pinch'
  readonly view: View
  /** The position in the middle of the fingers. */
  readonly start: Point
  /** The distance between two fingers. */
  readonly apart: number
}

/** A shorter movement counts as a click, in pixels. */
const CLICK = 5

/** The event handlers for the canvas of a map. */
export function useGestures(
  canvas: RefObject<HTMLCanvasElement | null>,
  actions: Actions,
): CanvasHTMLAttributes {
  const latest = useRef(actions)
  latest.current = actions
  const pointers = useRef(new Map<number, Point>())
  const gesture = useRef<Gesture | undefined>(undefined)
  useEffect(() => onWheel(canvas.current, latest), [])
  const begin = (isArea: boolean, size: Size): void => {
    const all = [...pointers.current.values()]
    const kind = all.length > 1 ? 'pinch' : isArea ? 'area' : 'move'
    gesture.current =
      all.length === 0 ? undefined : { kind, view: actions.view(size), start: middle(all), apart: apart(all) }
  }
  const end = (event: TargetedPointerEvent<HTMLCanvasElement>): void => {
    const before = gesture.current
    const size = sizeOf(event.currentTarget)
    pointers.current.delete(event.pointerId)
    begin(false, size)
    if (before && event.type === 'pointerup') finish(before, pointOf(event), size, latest.current)
    else actions.onDraw(undefined)
  }
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      pointers.current.set(event.pointerId, pointOf(event))
      begin(event.shiftKey || actions.isChoosing, sizeOf(event.currentTarget))
    },
    onPointerMove: (event) => {
      const size = sizeOf(event.currentTarget)
      if (pointers.current.has(event.pointerId)) pointers.current.set(event.pointerId, pointOf(event))
      const all = [...pointers.current.values()]
      if (gesture.current && all.length > 0) proceed(gesture.current, all, size, latest.current)
      else actions.onPoint(placeAt(actions.view(size), size, pointOf(event)))
    },
    onPointerUp: end,
    onPointerCancel: end,
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (pressed(event.key, sizeOf(event.currentTarget), latest.current)) event.preventDefault()
    },
  }
}

/** Moves, zooms, or draws according to the position of the fingers. */
function proceed(gesture: Gesture, all: readonly Point[], size: Size, actions: Actions): void {
  const { kind, view, start } = gesture
  const now = middle(all)
  if (kind === 'area') {
    actions.onDraw([placeAt(view, size, start), placeAt(view, size, now)])
    return
  }
  const by = { x: now.x - start.x, y: now.y - start.y }
  const there = moved(view, size, by)
  const times = kind === 'pinch' && gesture.apart > 0 ? apart(all) / gesture.apart : 1
  if (times !== 1) actions.onView(zoomed(there, size, Math.log2(times), now))
  else if (Math.hypot(by.x, by.y) >= CLICK) actions.onView(there)
}

function finish({ kind, view, start }: Gesture, at: Point, size: Size, actions: Actions): void {
  const [across, down] = [Math.abs(at.x - start.x), Math.abs(at.y - start.y)]
  actions.onDraw(undefined)
  if (kind === 'area' && across >= CLICK && down >= CLICK) {
    actions.onArea(areaOf(placeAt(view, size, start), placeAt(view, size, at)))
  }
  if (kind === 'move' && Math.hypot(across, down) < CLICK) actions.onPick(placeAt(view, size, at), at, size)
}

/** The distance by which an arrow key moves the map, in pixels. */
const STEP = 60

/** Executes a key; returns whether the key has an action. */
function pressed(key: string, size: Size, actions: Actions): boolean {
  const view = actions.view(size)
  const centre = { x: size.width / 2, y: size.height / 2 }
  const arrows: Readonly<Record<string, Point>> = {
    ArrowLeft: { x: STEP, y: 0 },
    ArrowRight: { x: -STEP, y: 0 },
    ArrowUp: { x: 0, y: STEP },
    ArrowDown: { x: 0, y: -STEP },
  }
  const zooms: Readonly<Record<string, number>> = { '+': 1, '=': 1, '-': -1, _: -1 }
  const [arrow, zoom] = [arrows[key], zooms[key]]
  const next = arrow
    ? moved(view, size, arrow)
    : zoom === undefined
      ? undefined
      : zoomed(view, size, zoom, centre)
  if (next !== undefined) {
    actions.onView(next)
    actions.onPoint(next)
  } else if (key === 'Enter') actions.onPick(view, centre, size)
  else if (key === 'Escape') actions.onCancel()
  else return false
  return true
}

/** The pixels of a wheel that double the zoom. */
const DOUBLING = 300

/** Only a listener that is not passive can prevent the page from scrolling. */
function onWheel(canvas: HTMLCanvasElement | null, actions: { readonly current: Actions }): () => void {
  if (canvas === null) return () => undefined
  const turned = (event: WheelEvent): void => {
    event.preventDefault()
    const size = sizeOf(canvas)
    const { left, top } = canvas.getBoundingClientRect()
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    // Browsers report a pinch on a touchpad as a wheel with Ctrl, in smaller steps.
    const by = (-event.deltaY * lines * (event.ctrlKey ? 4 : 1)) / DOUBLING
    const around = { x: event.clientX - left, y: event.clientY - top }
    actions.current.onView(zoomed(actions.current.view(size), size, by, around))
  }
  canvas.addEventListener('wheel', turned, { passive: false })
  return () => {
    canvas.removeEventListener('wheel', turned)
  }
}

/** The size of a canvas. */
export const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLCanvasElement): Size => ({
  width,
  height,
})

function pointOf(event: TargetedPointerEvent<HTMLCanvasElement>): Point {
  const { left, top } = event.currentTarget.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}

const middle = (all: readonly Point[]): Point => ({
  x: all.reduce((sum, { x }) => sum + x, 0) / all.length,
  y: all.reduce((sum, { y }) => sum + y, 0) / all.length,
})

const apart = ([one, other]: readonly Point[]): number =>
  one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0
