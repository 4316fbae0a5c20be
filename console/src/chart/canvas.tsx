/** A canvas with the resolution of the screen. It is redrawn when its size, colours or content change. */
import type { CanvasHTMLAttributes, JSX, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import './canvas.css'

/** The drawing surface. Lengths are in CSS pixels. */
export interface Surface {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
  /** Returns a colour of the style sheet, by the name of its variable. */
  readonly colour: (name: string) => string
}

interface CanvasProps extends Omit<CanvasHTMLAttributes, 'ref'> {
  readonly draw: (surface: Surface) => void
  readonly canvas?: RefObject<HTMLCanvasElement | null>
}

/** The class determines the size. */
export function Canvas({ draw, canvas, ...rest }: CanvasProps): JSX.Element {
  const own = useRef<HTMLCanvasElement>(null)
  const element = canvas ?? own
  const [, changed] = useState(0)
  useEffect(() => watch(element.current, () => changed((times) => times + 1)), [])
  useLayoutEffect(() => {
    if (element.current !== null) paint(element.current, draw)
  })
  return <canvas ref={element} {...rest} />
}

const LOOKS = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']

/** Calls `changed` when a canvas would look different. */
function watch(canvas: HTMLCanvasElement | null, changed: () => void): () => void {
  if (canvas === null) return () => undefined
  const sizes = new ResizeObserver(changed)
  sizes.observe(canvas)
  const theme = new MutationObserver(changed)
  theme.observe(document.documentElement, { attributes: true })
  const looks = LOOKS.map((query) => matchMedia(query))
  for (const look of looks) look.addEventListener('change', changed)
  addEventListener('resize', changed)
  return () => {
    sizes.disconnect()
    theme.disconnect()
    for (const look of looks) look.removeEventListener('change', changed)
    removeEventListener('resize', changed)
  }
}

function paint(canvas: HTMLCanvasElement, draw: (surface: Surface) => void): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const context = canvas.getContext('2d')
  if (context === null || width === 0 || height === 0) return
  const sharpness = devicePixelRatio
  canvas.width = Math.round(width * sharpness)
  canvas.height = Math.round(height * sharpness)
  context.scale(sharpness, sharpness)
  context.font = `12px ${getComputedStyle(canvas).fontFamily}`
  draw({ context, width, height, colour: coloursOf(canvas) })
}

/** Only a colour property resolves a variable in the current theme. */
function coloursOf(canvas: HTMLCanvasElement): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    canvas.style.color = `var(--${name})`
    const { color } = getComputedStyle(canvas)
    canvas.style.color = ''
    known.set(name, color)
    return color
  }
}
