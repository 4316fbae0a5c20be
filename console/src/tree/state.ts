/** The state of the tree: its loaded and its open parts. */
import { computed, signal, type ReadonlySignal } from '@preact/signals'
import { user } from '../service/service.ts'
import { fetchLevel, fetchRoots, type Roots } from './levels.ts'
import { ancestorsOf, PORTION, rowsOf, type Row, type TreeState } from './rows.ts'

const EMPTY: TreeState = { roots: [], hasMore: false, levels: new Map(), open: new Set(), shown: new Map() }

const state = signal<TreeState>(EMPTY)
const failure = signal<unknown>(undefined)

/** The rows of the current state; undefined until the first ones are loaded. */
export const rows: ReadonlySignal<readonly Row[]> = computed(() => rowsOf(state.value))

/** The error from loading the top of the tree. */
export const problem: ReadonlySignal<unknown> = failure

const count = signal(0)

/** The number of changes of the tree; components that show a part of it reload after each. */
export const treeChanges: ReadonlySignal<number> = count

/** Reloads the tree after a creation or deletion of namespaces or tags. */
export function treeChanged(): void {
  count.value += 1
}

/** Aborts the current requests when the user or the tree changes. */
let outdated = new AbortController()
/** The cursor of the next page of top-level namespaces. */
let next: string | undefined
/** The loaded pages. */
let paged: readonly string[] = []

/** The user of the loaded tree. */
let whose: string | undefined
/** The top-level namespace of the path in the URL. */
let revealed: string | undefined

/** Loads the tree: its top, and the open namespaces, unless those belong to another user's session. */
export async function loadTree(): Promise<void> {
  outdated.abort()
  outdated = new AbortController()
  const { signal: mine } = outdated
  failure.value = undefined
  const name = user.peek()?.name
  const before = whose === name ? state.peek() : EMPTY
  whose = name
  state.value = before
  paged = []
  next = undefined
  try {
    await loadRoots(mine)
    await Promise.all([...before.levels.keys()].map((path) => load(path, mine)))
  } catch (error) {
    if (!mine.aborted) failure.value = error
  }
}

/** Loads more of the top-level namespaces. */
export async function loadMoreRoots(): Promise<void> {
  try {
    await loadRoots(outdated.signal)
  } catch (error) {
    if (!outdated.signal.aborted) failure.value = error
  }
}

async function loadRoots(mine: AbortSignal): Promise<void> {
  const page: Roots = await fetchRoots(next, mine)
  if (mine.aborted) return
  next = page.next
  paged = [...paged, ...page.paths]
  arrange()
}

/** The current user's own namespace first, then the others by name. */
function arrange(): void {
  const own = user.peek()?.name
  const before = state.peek()
  const shown = [...before.open, revealed ?? ''].filter((path) => path !== '' && !path.includes('/'))
  // Namespaces that are not loaded yet, but may exist.
  const further = next === undefined ? [] : shown
  const others = [...new Set([...paged, ...further])].filter((path) => path !== own).sort()
  const roots = own === undefined ? others : [own, ...others]
  state.value = { ...before, roots, hasMore: next !== undefined }
}

/** Opens a namespace, and loads its content if necessary; or closes it. */
export function setOpen(path: string, isOpen: boolean): void {
  const open = new Set(state.peek().open)
  if (isOpen) open.add(path)
  else open.delete(path)
  state.value = { ...state.peek(), open }
  const known = state.peek().levels.get(path)
  if (isOpen && (known === undefined || known instanceof Error)) void load(path, outdated.signal)
}

/** Opens all namespaces above a path, so that it is visible. */
export function reveal(path: string): void {
  const above = ancestorsOf(path)
  revealed = above[0] ?? path
  if (paged.length > 0) arrange()
  for (const one of above) if (!state.peek().open.has(one)) setOpen(one, true)
}

/** Shows more of the content of a namespace. */
export function showMore(path: string): void {
  const shown = new Map(state.peek().shown)
  shown.set(path, (shown.get(path) ?? PORTION) + PORTION)
  state.value = { ...state.peek(), shown }
}

async function load(path: string, mine: AbortSignal): Promise<void> {
  const found = await fetchLevel(path, mine).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  )
  if (!mine.aborted)
    state.value = { ...state.peek(), levels: new Map([...state.peek().levels, [path, found]]) }
}
