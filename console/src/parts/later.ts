/** Loads data after the user has stopped typing. */
import { useEffect, useState } from 'preact/hooks'

/** Milliseconds from the last key, or the last movement of a map, to the request. */
export const AFTER = { suggestions: 150, square: 150, user: 200, slips: 300 }

/**
 * The result of `load`, requested that many milliseconds after the latest change of `inputs`; it aborts outdated
 * requests. The earlier result remains until the new one arrives. A failure, or a `load` that is undefined, gives `none`.
 */
export function useLater<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  inputs: readonly unknown[],
  { none, delay }: { readonly none: T; readonly delay: number },
): T {
  const [value, setValue] = useState(none)
  useEffect(() => {
    if (load === undefined) {
      setValue(none)
      return
    }
    const outdated = new AbortController()
    const show = (shown: T): void => {
      if (!outdated.signal.aborted) setValue(shown)
    }
    const timer = setTimeout(() => {
      load(outdated.signal).then(show, () => show(none))
    }, delay)
    return () => {
      clearTimeout(timer)
      outdated.abort()
    }
  }, [...inputs, load === undefined])
  return value
}
