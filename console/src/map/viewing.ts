/** Which part of the world a map shows, and how large the map is. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { go, hrefWith, route } from '../route.ts'
import { sizeOf } from './gestures.ts'
import { kept, parseView, viewOf, viewText, WORLD, type Area, type Size, type View } from './projection.ts'

/** How long the map rests until the URL says where it is, in milliseconds: browsers refuse to change it all the time. */
const RESTS = 300

/** Which part of the world is shown, and how to change that. */
export interface Viewing {
  readonly view: View
  /** The same on a canvas of another size. */
  readonly viewIn: (size: Size) => View
  /** Without a view, all points are shown. */
  readonly setView: (view: View | undefined) => void
}

/** The view that was chosen, which is in the URL as `place`; until somebody chooses one, it is that of all points. */
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

/** The size that a canvas has now. */
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
