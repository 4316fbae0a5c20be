/** The content of the query box, while the console is open. */
import { signal } from '@preact/signals'
import { go, hrefOf, route } from '../route.ts'
import { remember } from './history.ts'

/** The text, and the position of its caret. */
export const text = signal('')
export const caret = signal(0)

/** Whether the typing help is visible. */
export const helping = signal(false)

/** The list of completions, for screen readers. */
export const listed = { id: signal<string | undefined>(), active: signal<string | undefined>() }

/** Handles keys for the typing help, once it is loaded. */
export const keys: { onKey: (event: KeyboardEvent) => boolean } = { onKey: () => false }

/** The box element. */
export const box: { current: HTMLTextAreaElement | null } = { current: null }

/** Puts a text into the box. */
export function write(next: string, at = next.length): void {
  text.value = next
  caret.value = at
  const { current } = box
  if (current === null || current !== document.activeElement) return
  // The caret can be set only after the text.
  current.value = next
  current.setSelectionRange(at, at)
}

/** The view of the results, which remains with another query. */
const KEPT = ['column', 'sort', 'show', 'facet', 'x', 'y', 'scale', 'lat', 'lon', 'build']

/** Runs the query in the box. */
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
