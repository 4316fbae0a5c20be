/** The state of the tree: what of it has arrived, and what of it is open. */
import { computed, signal, type ReadonlySignal } from '@preact/signals'
import { user } from '../service/service.ts'
import { fetchLevel, fetchRoots, type Roots } from './levels.ts'
import { ancestorsOf, PORTION, rowsOf, type Row, type TreeState } from './rows.ts'

const EMPTY: TreeState = { roots: [], hasMore: false, levels: new Map(), open: new Set(), shown: new Map() }

const state = signal<TreeState>(EMPTY)
const failure = signal<unknown>(undefined)

/** Rows of the present state; undefined until the first ones are known. */
export const rows: ReadonlySignal<readonly Row[]> = computed(() => rowsOf(state.value))

/** Why the top of the tree could not be loaded. */
export const problem: ReadonlySignal<unknown> = failure

const count = signal(0)

/** How often the tree has changed: what shows a part of it is loaded again with each. */
export const treeChanges: ReadonlySignal<number> = count

/** Has the tree loaded again, after namespaces or tags were created or deleted. */
export function treeChanged(): void {
  count.value += 1
}

/** What is asked for now ends with this, when somebody else asks or the tree has changed. */
let outdated = new AbortController()
/** Where the next page of top-level namespaces begins. */
let next: string | undefined
/** The pages that have arrived. */
let paged: readonly string[] = []

/** Whose tree it is. */
let whose: string | undefined
/** The top-level namespace of what the URL names. */
let revealed: string | undefined

/** Loads the tree: its top, and what was open before, unless that was somebody else's. */
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

/** The asker's own namespace first, then the others by name, those that are shown already among them. */
function arrange(): void {
  const own = user.peek()?.name
  const before = state.peek()
  const shown = [...before.open, revealed ?? ''].filter((path) => path !== '' && !path.includes('/'))
  // Those that are not known yet, and may exist.
  const further = next === undefined ? [] : shown
  const others = [...new Set([...paged, ...further])].filter((path) => path !== own).sort()
  const roots = own === undefined ? others : [own, ...others]
  state.value = { ...before, roots, hasMore: next !== undefined }
}

/** Opens a namespace and loads what is in it, if that is not known; and closes it. */
export function setOpen(path: string, isOpen: boolean): void {
  const open = new Set(state.peek().open)
  if (isOpen) open.add(path)
  else open.delete(path)
  state.value = { ...state.peek(), open }
  const known = state.peek().levels.get(path)
  if (isOpen && (known === undefined || known instanceof Error)) void load(path, outdated.signal)
}

/** Opens all that is above a path, so that it is seen. */
export function reveal(path: string): void {
  const above = ancestorsOf(path)
  revealed = above[0] ?? path
  if (paged.length > 0) arrange()
  for (const one of above) if (!state.peek().open.has(one)) setOpen(one, true)
}

/** Shows more of what is in a namespace. */
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
