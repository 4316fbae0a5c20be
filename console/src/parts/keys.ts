/**
 * Keyboard shortcuts of single keys and sequences. Each visible component registers its own, and the sheet of keys lists
 * all.
 */
import { signal, type ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { keep, kept } from './kept.ts'

/**
 * Actions by key, with the names of `KeyboardEvent.key`: `j`, `Enter`, `g t` for a sequence, and `Mod+k` for `k` with
 * Ctrl or Cmd, the only kind that also works while the user types.
 */
export type Keys = Readonly<Record<string, readonly [does: string, run: () => void]>>

/** The shortcuts of one view. */
export interface KeyGroup {
  readonly view: string
  /** From the view's latest rendering. */
  readonly keys: () => Keys
}

/** The longest time between the keys of a sequence, in milliseconds. */
const WAITS = 2000

/**
 * The name under which the browser stores that the shortcuts of letters are off. Speech input may press them by mistake.
 */
const KEPT = 'no-keys'

const groups = signal<readonly KeyGroup[]>([])
const off = signal(kept(KEPT) !== undefined)

/** The current shortcuts. */
export const activeKeys: ReadonlySignal<readonly KeyGroup[]> = groups

/** Whether shortcuts are off, except those with Ctrl or Cmd. */
export const keysOff: ReadonlySignal<boolean> = off

/** Disables or enables shortcuts, also for the next visit. */
export function switchKeys(to: 'on' | 'off'): void {
  off.value = to === 'off'
  keep(KEPT, off.value ? 'off' : undefined)
}

/** Hook: these shortcuts work while the component is mounted, the user is not typing, and no dialog is open. */
export function onKeys(view: string, keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useLayoutEffect(() => {
    const group = { view, keys: () => latest.current }
    groups.value = [...groups.peek(), group]
    return () => {
      groups.value = groups.peek().filter((one) => one !== group)
    }
  }, [view])
}

/** The first key of a sequence, and its time. */
let waiting = { key: '', since: 0 }

function follow(event: KeyboardEvent): void {
  const key = keyName(event)
  if (event.defaultPrevented || key === undefined || isFor(event.target, key)) return
  const before = event.timeStamp - waiting.since < WAITS ? waiting.key : ''
  waiting = { key: '', since: 0 }
  const run = before === '' ? undefined : actionOf(`${before} ${key}`)
  const does = run ?? actionOf(key)
  if (does !== undefined) {
    event.preventDefault()
    does()
  } else if (begins(`${key} `)) waiting = { key, since: event.timeStamp }
}

/** The name of a key; undefined for keys of the browser. */
function keyName({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): string | undefined {
  if (altKey || isComposing) return undefined
  if (ctrlKey || metaKey) return `Mod+${key.toLowerCase()}`
  return off.value ? undefined : key
}

/** Returns whether the focused element uses the key itself. */
function isFor(target: EventTarget | null, key: string): boolean {
  if (key.startsWith('Mod+')) return false
  if (document.querySelector('dialog:modal') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('input:not([type=checkbox], [type=radio], [type=button]), textarea, select')) return true
  return ['Enter', ' '].includes(key) && target.closest('a, button, input, summary') !== null
}

/** The latest registration of a key takes precedence. */
const actionOf = (key: string): (() => void) | undefined =>
  groups.value.map(({ keys }) => keys()[key]).findLast((found) => found !== undefined)?.[1]

const begins = (start: string): boolean =>
  groups.value.some(({ keys }) => Object.keys(keys()).some((key) => key.startsWith(start)))

addEventListener('keydown', follow)
