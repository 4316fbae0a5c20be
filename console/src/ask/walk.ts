/** Moves through the rows of a table with keys, and opens a row. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { go } from '../route.ts'
import { onKeys } from '../parts/keys.ts'
import { placeBefore } from './place.ts'
import { hrefOfObject } from './row.tsx'
import type { Rows } from './rows.ts'
import { hasFocus, type Window } from './window.ts'

/** The event handlers of the table. */
export interface Walk {
  readonly follow: (event: KeyboardEvent) => void
  readonly choose: (event: MouseEvent) => void
}

export function useWalk(rows: Rows, shown: Window): Walk {
  const { box, active, total, page } = shown
  const moveTo = useMove(rows, shown)
  const move = (index: number): void => moveTo(Math.min(Math.max(index, 0), total - 1))
  /** The first key only shows the active row. */
  const begun = (then: () => void) => () => (hasFocus(box.current) ? then() : move(active))
  const open = (edit: boolean): void => {
    const found = rows.at(active)
    if (found === undefined) return
    shown.keep()
    go(hrefOfObject(found, edit ? { edit: '1' } : {}))
  }
  onKeys('Results', {
    j: ['next object', begun(() => move(active + 1))],
    k: ['previous object', begun(() => move(active - 1))],
    Enter: ['open the object', begun(() => open(false))],
    e: ['edit the object', begun(() => open(true))],
  })
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: total - 1,
  }
  return {
    follow(event) {
      const to = moves[event.key]
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      if (!hasFocus(box.current)) return
      event.preventDefault()
      move(to)
    },
    choose(event) {
      const row = event.target instanceof Element ? event.target.closest('[data-index]') : null
      if (row === null) return
      const index = Number(row.getAttribute('data-index'))
      shown.setActive(index)
      shown.keep(index)
    },
  }
}

/** Returns a function that focuses a row as soon as it exists, also the row that had the focus when the user left. */
function useMove(rows: Rows, { box, active, setActive, scrollTo }: Window): (index: number) => void {
  const wanted = useRef(false)
  useLayoutEffect(() => {
    wanted.current = placeBefore()?.focused ?? false
  }, [rows])
  const focusWanted = (): void => {
    const link = wanted.current ? box.current?.querySelector<HTMLElement>(`[data-index="${active}"] a`) : null
    if (link == null) return
    wanted.current = false
    link.focus({ preventScroll: true })
  }
  // Each rendering may have created that row.
  useLayoutEffect(focusWanted)
  return (index) => {
    wanted.current = true
    setActive(index)
    scrollTo(index)
    // For the same row, no rendering follows.
    if (index === active) focusWanted()
  }
}
