/** Keeps the visible part of the world, and the size of the map. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { go, hrefWith, route } from '../route.ts'
import { sizeOf } from './gestures.ts'
import { kept, parseView, viewOf, viewText, WORLD, type Area, type Size, type View } from './projection.ts'

/** Milliseconds without movement before the page updates the URL, because browsers limit the rate of updates. */
const RESTS = 300

/** The visible part of the world, and the function that changes it. */
export interface Viewing {
  readonly view: View
  /** The view for a canvas of another size. */
  readonly viewIn: (size: Size) => View
  /** Sets the view; undefined shows all points. */
  readonly setView: (view: View | undefined) => void
}

/** The user's view, which is `place` in the URL; without one, a view of all points. */
export function useView(size: Size, area: Area = WORLD): Viewing {
  const text = route.value.params.get('place')
  const [chosen, setChosen] = useState(() => parseView(text))
  const written = useRef(text)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (text !== written.current) setChosen(parseView(text))
    written.current = text
  }, [text])
  useEffect(
    () => () => {
      clearTimeout(waiting.current)
    },
    [],
  )
  const viewIn = (room: Size): View => (chosen ? kept(chosen, room) : viewOf(area, room))
  const setView = (next: View | undefined): void => {
    setChosen(next)
    clearTimeout(waiting.current)
    waiting.current = setTimeout(() => {
      written.current = next === undefined ? null : viewText(next)
      go(hrefWith({ place: written.current ?? undefined }), true)
    }, RESTS)
  }
  return { view: viewIn(size), viewIn, setView }
}

/** The current size of a canvas. */
export function useSize(canvas: RefObject<HTMLCanvasElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 800, height: 450 })
  useEffect(() => {
    const element = canvas.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setSize(sizeOf(element)))
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
  }, [])
  return size
}
