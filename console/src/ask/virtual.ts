/** Shows only those of many rows that can be seen (`@tanstack/virtual-core` as a hook). */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type Range,
} from '@tanstack/virtual-core'
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

type Virtual = Virtualizer<HTMLElement, HTMLElement>

/** More rows than can be seen, in both directions, so that fast scrolling shows no gaps; none before the first paint. */
const OVERSCAN = 14

/** Rows come and go so many at once: in between, scrolling costs this page nothing. */
const BLOCK = 16

export function useVirtual({ box, count, rowHeight, above, always, onRest }: Scrolled): Virtual {
  const [, render] = useReducer<number, undefined>((turn) => turn + 1, 0)
  const [isPainted, setPainted] = useState(false)
  useEffect(() => setPainted(true), [])
  const rendered = useRef('')
  const moving = useRef(false)
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    scrollMargin: above,
    overscan: isPainted ? OVERSCAN : 0,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    rangeExtractor: (range: Range) => withRow(always, range),
    onChange: (changed: Virtual) => {
      const { isScrolling } = changed
      if (partOf(changed, rowHeight) !== rendered.current) render(undefined)
      // Also called where nobody has scrolled, such as at the beginning.
      if (!isScrolling && moving.current) onRest()
      moving.current = isScrolling
    },
  }
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options))
  virtual.setOptions(options)
  rendered.current = partOf(virtual, rowHeight)
  useLayoutEffect(() => virtual._didMount(), [virtual])
  useLayoutEffect(() => {
    virtual._willUpdate()
  })
  return virtual
}

/** What has to be rendered anew when it changes: the block of the first row that can be seen, and how many rows that can be. */
const partOf = ({ range, scrollRect }: Virtual, rowHeight: number): string =>
  `${Math.floor((range?.startIndex ?? 0) / BLOCK)} ${Math.ceil((scrollRect?.height ?? 0) / rowHeight)}`

/** The rows of the block of a range, as many more as can be seen, some around them, and one more. */
function withRow(always: number, { startIndex, endIndex, overscan, count }: Range): number[] {
  const block = startIndex - (startIndex % BLOCK)
  const from = Math.max(block - overscan, 0)
  // Without rows around them, none of what cannot be seen.
  const last = overscan === 0 ? endIndex : block + BLOCK + (endIndex - startIndex) + overscan
  const to = Math.min(last, count - 1)
  const range = Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => from + at)
  if (always >= count || (always >= from && always <= to)) return range
  return always < from ? [always, ...range] : [...range, always]
}
