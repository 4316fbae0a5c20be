/** Renders only the visible rows of many. All rows have the same height, so it computes their positions. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

/** The scrolling box. Sizes are in pixels. */
export interface Scrolled {
  readonly box: RefObject<HTMLElement | null>
  /** The number of rows. */
  readonly count: number
  readonly rowHeight: number
  /** The height of the fixed part above the rows. */
  readonly above: number
  /** The row that exists even while it is not visible, because it may have the focus. */
  readonly always: number
  /** Called when the scrolling stops. */
  readonly onRest: () => void
}

/** The visible part. */
export interface Virtual {
  /** The first and the last visible row; both 0 if there are none. */
  readonly first: number
  readonly last: number
  /** The rows to render, in their order. */
  readonly items: readonly number[]
  /** Returns the scroll position in pixels. */
  readonly top: () => number
}

/** The number of extra rows in both directions, so that fast scrolling shows no gaps; none before the first paint. */
const OVERSCAN = 14

/** The number of rows that the page adds or removes at once. In between, scrolling needs no rendering. */
const BLOCK = 16

/** The scrolling has stopped after this many milliseconds without movement. */
const REST = 150

/** The position of the box, in pixels. */
interface Stand {
  readonly top: number
  readonly height: number
}

type Seen = readonly [first: number, last: number]

export function useVirtual(scrolled: Scrolled): Virtual {
  const stand = useStand(scrolled)
  const [isPainted, setPainted] = useState(false)
  useEffect(() => setPainted(true), [])
  const isShown = scrolled.count > 0 && stand.current.height > 0
  const [first, last] = seen(stand.current, scrolled)
  const items = isShown ? withRow([first, last], isPainted ? OVERSCAN : 0, scrolled) : []
  return { first, last, items, top: () => stand.current.top }
}

/** The position of the box. Renders again when other rows are necessary; before the first rendering the position is 0. */
function useStand(scrolled: Scrolled): Readonly<RefObject<Stand>> {
  const [, render] = useReducer<number, undefined>((turn) => turn + 1, 0)
  const stand = useRef<Stand>({ top: 0, height: 0 })
  const latest = useRef(scrolled)
  latest.current = scrolled
  const rendered = useRef('')
  rendered.current = partOf(stand.current, scrolled)
  const { box } = scrolled
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const update = (): void => {
      stand.current = { top: element.scrollTop, height: element.clientHeight }
      if (partOf(stand.current, latest.current) !== rendered.current) render(undefined)
    }
    let timer: number | undefined
    const onScroll = (): void => {
      update()
      window.clearTimeout(timer)
      timer = window.setTimeout(() => latest.current.onRest(), REST)
    }
    const sizes = new ResizeObserver(update)
    update()
    sizes.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      window.clearTimeout(timer)
      sizes.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [box])
  return stand
}

/** The first and the last visible row. */
function seen({ top, height }: Stand, { count, rowHeight, above }: Scrolled): Seen {
  const most = Math.max(above + count * rowHeight - height, 0)
  const down = Math.min(top, most) - above
  const row = (at: number): number => Math.max(Math.min(at, count - 1), 0)
  return [row(Math.floor(down / rowHeight)), row(Math.ceil((down + height) / rowHeight) - 1)]
}

/**
 * A key that changes when a rendering is necessary: the block of the first visible row, and the number of visible rows.
 */
const partOf = (stand: Stand, scrolled: Scrolled): string =>
  `${Math.floor(seen(stand, scrolled)[0] / BLOCK)} ${Math.ceil(stand.height / scrolled.rowHeight)}`

/**
 * The rows of the block with the first visible row, as many more as are visible, some around them, and the row `always`.
 */
function withRow([first, last]: Seen, overscan: number, { count, always }: Scrolled): number[] {
  const block = first - (first % BLOCK)
  const from = Math.max(block - overscan, 0)
  // Without extra rows, only visible rows.
  const end = overscan === 0 ? last : block + BLOCK + (last - first) + overscan
  const to = Math.min(end, count - 1)
  const range = Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => from + at)
  if (always >= count || (always >= from && always <= to)) return range
  return always < from ? [always, ...range] : [...range, always]
}
