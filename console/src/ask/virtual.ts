/** Shows only those of many rows that can be seen (`@tanstack/virtual-core` as a hook). */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type Range,
} from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

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

/** More rows than can be seen, in both directions, so that fast scrolling shows no gaps. */
const OVERSCAN = 12

/** Rows come and go so many at once: in between, scrolling costs this page nothing. */
const BLOCK = 8

export function useVirtual({ box, count, rowHeight, above, always, onRest }: Scrolled): Virtual {
  const [, render] = useReducer<number, undefined>((turn) => turn + 1, 0)
  const rendered = useRef('')
  const moving = useRef(false)
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    scrollMargin: above,
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    rangeExtractor: (range: Range) => withRow(always, range),
    onChange: ({ isScrolling, range }: Virtual) => {
      if (blocksOf(range) !== rendered.current) render(undefined)
      // Also called where nobody has scrolled, such as at the beginning.
      if (!isScrolling && moving.current) onRest()
      moving.current = isScrolling
    },
  }
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options))
  virtual.setOptions(options)
  rendered.current = blocksOf(virtual.range)
  useLayoutEffect(() => virtual._didMount(), [virtual])
  useLayoutEffect(() => {
    virtual._willUpdate()
  })
  return virtual
}

type Ends = Pick<Range, 'startIndex' | 'endIndex'>

/** The blocks in which the ends of a range are. */
const blocksOf = (range: Ends | null): string =>
  range === null ? '' : `${Math.floor(range.startIndex / BLOCK)} ${Math.floor(range.endIndex / BLOCK)}`

/** The rows of the blocks of a range with some around them, and one more. */
function withRow(always: number, { startIndex, endIndex, overscan, count }: Range): number[] {
  const from = Math.max(startIndex - (startIndex % BLOCK) - overscan, 0)
  const to = Math.min(endIndex - (endIndex % BLOCK) + BLOCK + overscan, count) - 1
  const range = Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => from + at)
  if (always >= count || (always >= from && always <= to)) return range
  return always < from ? [always, ...range] : [...range, always]
}
