/** Loads the data of a view. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { user } from '../service/service.ts'

/** Loading, loaded, or failed. During a reload for the same user, the earlier value remains. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly loading: boolean
  /** Reloads. */
  readonly again: () => void
}

/**
 * Loads data when a view appears, when one of `inputs` changes, and when the user signs in or out. It aborts outdated
 * requests, and never shows their results.
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
  // The request begins before the paint, because the answer takes longer.
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
