/** Tracks the visible rows of a table, and returns to the user's last position. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { keepPlace, placeBefore } from './place.ts'
import { MOST_ROWS, type Rows, type RowState } from './rows.ts'
import { useVirtual } from './virtual.ts'

/** The height of a row in rem, as in table.css. */
export const ROW = 1.875
/** The height of the heading, which stays above the rows. */
const HEAD = 2.25

/** The number of placeholder rows until the count is known. */
const UNKNOWN = 50

/** The visible part of the rows. */
export interface Window {
  readonly box: RefObject<HTMLDivElement | null>
  /** The number of rows, as far as it is known. */
  readonly total: number
  /** The rendered rows, by index. */
  readonly items: readonly number[]
  /** The number of rows that are visible at once. */
  readonly page: number
  /** The row for keyboard commands. */
  readonly active: number
  readonly setActive: (index: number) => void
  readonly scrollTo: (index: number) => void
  /** Stores the position for a later return. */
  readonly keep: (active?: number) => void
}

export function useWindow(rows: Rows, state: RowState): Window {
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(() => placeBefore()?.active ?? 0)
  const rem = useMemo(() => parseFloat(getComputedStyle(document.documentElement).fontSize), [])
  useLayoutEffect(() => setActive(placeBefore()?.active ?? 0), [rows])
  const total = totalOf(state)
  const keep = (row = active): void => {
    const top = Math.round(virtual.top() / (ROW * rem))
    keepPlace({ top, active: row, focused: row !== active || hasFocus(box.current) })
  }
  const latest = useRef(keep)
  latest.current = keep
  const virtual = useVirtual({
    box,
    count: total,
    rowHeight: ROW * rem,
    above: HEAD * rem,
    always: active,
    onRest: () => latest.current(),
  })
  const { first, last, items } = virtual
  useEffect(() => rows.need(first, last + 1), [rows, first, last])
  useReturn(box, rows, total, ROW * rem)
  const scrollTo = (index: number): void => reveal(box.current, index * ROW * rem, rem)
  return {
    box,
    total,
    items,
    page: Math.max(last - first - 2, 1),
    active,
    setActive,
    scrollTo,
    keep,
  }
}

/** Returns whether a row has the focus. */
export const hasFocus = (box: HTMLElement | null): boolean =>
  document.activeElement instanceof HTMLAnchorElement && box?.contains(document.activeElement) === true

function totalOf({ known, complete, count }: RowState): number {
  if (complete) return Math.min(known, MOST_ROWS)
  return Math.min(Math.max(typeof count === 'number' ? count : 0, known + UNKNOWN), MOST_ROWS)
}

/** Scrolls by the smallest distance that shows the row at this offset below the heading. */
function reveal(box: HTMLElement | null, start: number, rem: number): void {
  if (box === null) return
  const room = box.clientHeight - HEAD * rem
  if (start < box.scrollTop) box.scrollTop = start
  else if (start + ROW * rem > box.scrollTop + room) box.scrollTop = start + ROW * rem - room
}

/** Returns to the user's last position in these rows, once enough of them exist; otherwise starts at the first row. */
function useReturn(box: RefObject<HTMLElement | null>, rows: Rows, total: number, rowHeight: number): void {
  const top = useRef<number | undefined>(undefined)
  const isKnown = rows.state.value.known > 0
  useLayoutEffect(() => {
    top.current = placeBefore()?.top ?? 0
  }, [rows])
  useLayoutEffect(() => {
    if (top.current === undefined || !isKnown || total <= top.current) return
    box.current?.scrollTo({ top: top.current * rowHeight })
    top.current = undefined
  }, [rows, total, isKnown])
}
