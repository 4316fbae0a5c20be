/** What is asked for once nobody types any more. */
import { useEffect, useState } from 'preact/hooks'

/** Milliseconds after the last key, or the last move of a map, until the service is asked. */
export const AFTER = { suggestions: 150, square: 150, user: 200, slips: 300 }

/**
 * What `load` gives, so many milliseconds after the latest change of `inputs`; what is outdated is given up. Until there is
 * something else, what was there before stays; what fails, or a `load` that is undefined, gives `none`.
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
