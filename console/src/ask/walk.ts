/** Going from row to row of a table by keys, and opening one. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { go } from '../route.ts'
import { onKeys } from '../parts/keys.ts'
import { placeBefore } from './place.ts'
import { hrefOfObject } from './row.tsx'
import type { Rows } from './rows.ts'
import { hasFocus, type Window } from './window.ts'

/** What happens on events in the table. */
export interface Walk {
  readonly follow: (event: KeyboardEvent) => void
  readonly choose: (event: MouseEvent) => void
}

export function useWalk(rows: Rows, shown: Window): Walk {
  const { box, active, total, page } = shown
  const moveTo = useMove(rows, shown)
  const move = (index: number): void => moveTo(Math.min(Math.max(index, 0), total - 1))
  /** The first key only shows where one is. */
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

/** What gives the focus to a row, as soon as it is there; also to the one that had it when somebody left. */
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
  // Whatever is rendered may be that row.
  useLayoutEffect(focusWanted)
  return (index) => {
    wanted.current = true
    setActive(index)
    scrollTo(index)
    // Where it is the same row, nothing is rendered anew.
    if (index === active) focusWanted()
  }
}
