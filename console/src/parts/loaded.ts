/** What a view shows once it has arrived. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { user } from '../service/service.ts'

/** On its way, there, or refused. While the same user asks again, what was there before stays. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly loading: boolean
  /** Asks for it once more. */
  readonly again: () => void
}

/**
 * Loads something when a view is shown, when one of `inputs` changes, and when somebody signs in or out. What is outdated
 * is given up, and never shown.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'again'>>({
    value: undefined,
    error: undefined,
    loading: true,
  })
  const [turn, setTurn] = useState(0)
  const who = user.value
  const whose = useRef(who)
  // Asked for before anything is painted, as the answer takes longer.
  useLayoutEffect(() => {
    const outdated = new AbortController()
    const isTheirs = whose.current === who
    whose.current = who
    setState(({ value }) => ({ value: isTheirs ? value : undefined, error: undefined, loading: true }))
    load(outdated.signal).then(
      (value) => {
        if (!outdated.signal.aborted) setState({ value, error: undefined, loading: false })
      },
      (error: unknown) => {
        if (!outdated.signal.aborted) setState({ value: undefined, error, loading: false })
      },
    )
    return () => {
      outdated.abort()
    }
  }, [...inputs, who, turn])
  return {
    ...state,
    again: () => {
      setTurn((before) => before + 1)
    },
  }
}
