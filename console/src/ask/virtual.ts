/** Shows only those of many rows that can be seen. As all have one height, it is arithmetic which ones. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

/** What is scrolled. Sizes are in pixels. */
export interface Scrolled {
  readonly box: RefObject<HTMLElement | null>
  /** How many rows there are. */
  readonly count: number
  readonly rowHeight: number
  /** The height of what stays above the rows. */
  readonly above: number
  /** The row that is there even where it cannot be seen, as it may have the focus. */
  readonly always: number
  /** Called when scrolling has come to an end. */
  readonly onRest: () => void
}

/** What can be seen of it. */
export interface Virtual {
  /** The first row and the last one that can be seen; both 0 where there are none. */
  readonly first: number
  readonly last: number
  /** The rows that have to exist, in their order. */
  readonly items: readonly number[]
  /** How far it is scrolled, in pixels. */
  readonly top: () => number
}

/** More rows than can be seen, in both directions, so that fast scrolling shows no gaps; none before the first paint. */
const OVERSCAN = 14

/** Rows come and go so many at once: in between, scrolling costs this page nothing. */
const BLOCK = 16

/** Scrolling has come to an end when nothing has moved for so many milliseconds. */
const REST = 150

/** Where the box stands, in pixels. */
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

/** Where the box stands; renders anew when other rows have to exist, before which it stands nowhere. */
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

/** The first row and the last one that can be seen. */
function seen({ top, height }: Stand, { count, rowHeight, above }: Scrolled): Seen {
  const most = Math.max(above + count * rowHeight - height, 0)
  const down = Math.min(top, most) - above
  const row = (at: number): number => Math.max(Math.min(at, count - 1), 0)
  return [row(Math.floor(down / rowHeight)), row(Math.ceil((down + height) / rowHeight) - 1)]
}

/** What has to be rendered anew when it changes: the block of the first row that can be seen, and how many rows that can be. */
const partOf = (stand: Stand, scrolled: Scrolled): string =>
  `${Math.floor(seen(stand, scrolled)[0] / BLOCK)} ${Math.ceil(stand.height / scrolled.rowHeight)}`

/** The rows of the block of the first that can be seen, as many more as can be seen, some around them, and one more. */
function withRow([first, last]: Seen, overscan: number, { count, always }: Scrolled): number[] {
  const block = first - (first % BLOCK)
  const from = Math.max(block - overscan, 0)
  // Without rows around them, none of what cannot be seen.
  const end = overscan === 0 ? last : block + BLOCK + (last - first) + overscan
  const to = Math.min(end, count - 1)
  const range = Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => from + at)
  if (always >= count || (always >= from && always <= to)) return range
  return always < from ? [always, ...range] : [...range, always]
}
