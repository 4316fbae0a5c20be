/** What stands in the query box, as long as the console is open. */
import { signal } from '@preact/signals'
import { go, hrefOf, route } from '../route.ts'
import { remember } from './history.ts'

/** The text, and where its caret is. */
export const text = signal('')
export const caret = signal(0)

/** Whether what helps to type is shown. */
export const helping = signal(false)

/** The list that the box completes from, for readers of the screen. */
export const listed = { id: signal<string | undefined>(), active: signal<string | undefined>() }

/** What keys mean besides typing, as soon as that is loaded. */
export const keys: { onKey: (event: KeyboardEvent) => boolean } = { onKey: () => false }

/** The box itself. */
export const box: { current: HTMLTextAreaElement | null } = { current: null }

/** Puts a text into the box. */
export function write(next: string, at = next.length): void {
  text.value = next
  caret.value = at
  const { current } = box
  if (current === null || current !== document.activeElement) return
  // It must have the text before it can have the caret.
  current.value = next
  current.setSelectionRange(at, at)
}

/** How results are shown; that stays with another query. */
const KEPT = ['column', 'sort', 'show', 'facet', 'x', 'y', 'scale', 'lat', 'lon', 'build']

/** Asks what is in the box. */
export function ask(): void {
  const query = text.value.trim()
  if (query === '') return
  remember(query)
  helping.value = false
  const { view, params } = route.value
  const kept = (view === 'ask' ? KEPT : ['build']).map((name) => [name, params.getAll(name)] as const)
  const href = hrefOf('ask', [], { query, ...Object.fromEntries(kept) })
  go(href, href === location.hash)
}
