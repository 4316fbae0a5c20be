/** Shortcuts of single keys, and of one after another: what is shown registers its own, and the sheet of keys lists them all. */
import { signal, type ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { keep, kept } from './kept.ts'

/**
 * What keys do, by their names in `KeyboardEvent.key`: `j`, `Enter`, `g t` for one after the other, and `Mod+k` for `k` with
 * Ctrl or Cmd, which alone also works while somebody types.
 */
export type Keys = Readonly<Record<string, readonly [does: string, run: () => void]>>

/** The keys of one view. */
export interface KeyGroup {
  readonly view: string
  /** As of the view's latest rendering. */
  readonly keys: () => Keys
}

/** A key waits so long for the one after it, in milliseconds. */
const WAITS = 2000

/** Where it is kept that somebody wants no shortcuts of letters, as speech input may press them by mistake. */
const KEPT = 'no-keys'

const groups = signal<readonly KeyGroup[]>([])
const off = signal(kept(KEPT) !== undefined)

/** The keys that work now. */
export const activeKeys: ReadonlySignal<readonly KeyGroup[]> = groups

/** Whether shortcuts are off, except those with Ctrl or Cmd. */
export const keysOff: ReadonlySignal<boolean> = off

/** Switches shortcuts off or on, also for the next time. */
export function switchKeys(to: 'on' | 'off'): void {
  off.value = to === 'off'
  keep(KEPT, off.value ? 'off' : undefined)
}

/** Hook: these keys work while the calling component is shown, and nobody types or has a dialog open. */
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

/** The key that waits for the one after it, and since when. */
let waiting = { key: '', since: 0 }

function follow(event: KeyboardEvent): void {
  const key = nameOf(event)
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

/** What a key is called here; undefined for those that belong to the browser. */
function nameOf({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): string | undefined {
  if (altKey || isComposing) return undefined
  if (ctrlKey || metaKey) return `Mod+${key.toLowerCase()}`
  return off.value ? undefined : key
}

/** Whether the element that has the focus needs the key itself. */
function isFor(target: EventTarget | null, key: string): boolean {
  if (key.startsWith('Mod+')) return false
  if (document.querySelector('dialog:modal') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('input:not([type=checkbox], [type=radio], [type=button]), textarea, select')) return true
  return ['Enter', ' '].includes(key) && target.closest('a, button, input, summary') !== null
}

/** What was registered last for a key comes first. */
const actionOf = (key: string): (() => void) | undefined =>
  groups.value.map(({ keys }) => keys()[key]).findLast((found) => found !== undefined)?.[1]

const begins = (start: string): boolean =>
  groups.value.some(({ keys }) => Object.keys(keys()).some((key) => key.startsWith(start)))

addEventListener('keydown', follow)
