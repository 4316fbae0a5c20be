/** The pages and the tree: beside the view, or on narrow screens in a drawer above it. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { focusContents } from '../parts/focus.ts'
import { whenIdle } from '../parts/idle.ts'
import { hrefOf, route } from '../route.ts'
import { user } from '../service/service.ts'
import { Tree } from '../tree/tree.tsx'

const narrow = matchMedia('(max-width: 45rem)')

/** Whether the drawer is open; wide screens have none. */
export const drawer = signal(false)

narrow.addEventListener('change', () => {
  drawer.value = false
})

export function TreeButton(): JSX.Element {
  return (
    <button
      type="button"
      class="tree-button"
      aria-expanded={drawer.value}
      aria-controls="side"
      onClick={() => {
        drawer.value = !drawer.value
      }}
    >
      Tree
    </button>
  )
}

/** While the drawer is open, the rest of the page is inert, so that the focus cannot leave it. */
export function Side(): JSX.Element {
  const close = useRef<HTMLButtonElement>(null)
  const open = drawer.value
  const [isIdle, setIdle] = useState(false)
  // The view loads first.
  useEffect(() => whenIdle(() => setIdle(true)), [])
  useEffect(() => {
    if (!open) return undefined
    if (toTree) enterTree()
    else close.current?.focus()
    toTree = false
    const before = route.peek()
    return () => {
      // While the drawer was open, the elements behind it could not have the focus.
      if (route.peek() !== before) focusContents()
      else document.querySelector<HTMLElement>('.tree-button')?.focus()
    }
  }, [open])
  useEffect(() => {
    drawer.value = false
  }, [route.value])
  return (
    <>
      {open && <div class="veil" onClick={shut} />}
      <div
        id="side"
        class={open ? 'side open' : 'side'}
        {...(open && { role: 'dialog', 'aria-modal': true, 'aria-label': 'Pages, namespaces and tags' })}
        onKeyDown={(event) => {
          if (open && event.key === 'Escape' && !event.defaultPrevented) shut()
        }}
      >
        {open && (
          <button type="button" class="plain close" ref={close} onClick={shut}>
            Close
          </button>
        )}
        <Pages />
        <nav class="tree-pane" aria-label="Namespaces and tags" tabIndex={-1}>
          {isIdle && <Tree />}
        </nav>
      </div>
    </>
  )
}

function shut(): void {
  drawer.value = false
}

/** Whether the drawer opens to show the tree. */
let toTree = false

/** Moves the focus to its last position in the tree. */
export function focusTree(): void {
  if (!narrow.matches) enterTree()
  else {
    toTree = true
    drawer.value = true
  }
}

function enterTree(): void {
  const place = document.querySelector<HTMLElement>('#side .tree-pane')
  const item = place?.querySelector<HTMLElement>('[role=tree] [tabindex="0"]') ?? place
  item?.focus()
}

const PAGES = [
  ['start', 'Start'],
  ['recent', 'Recent'],
  ['import', 'Import'],
  ['users', 'Users'],
] as const

function Pages(): JSX.Element {
  const shown = PAGES.filter(([view]) => view !== 'users' || user.value?.isSuperuser)
  return (
    <nav class="pages" aria-label="Pages">
      <ul>
        {shown.map(([view, name]) => (
          <li key={view}>
            <a href={hrefOf(view)} aria-current={route.value.view === view ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
