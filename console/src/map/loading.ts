/** Loads the coordinates of the results of a query, and keeps them while the query stays the same. */
import { useEffect, useState } from 'preact/hooks'
import { user } from '../service/service.ts'
import type { Pair } from './area.ts'
import { loadPoints, type Loading } from './points.ts'

/** The loaded points, and a retry after a failure. */
export interface Arriving {
  readonly loading: Loading | undefined
  readonly isDone: boolean
  readonly error: unknown
  readonly stop: () => void
  readonly again: () => void
}

interface Kept {
  readonly of: string
  readonly loading: Loading
}

/** The latest complete map. */
let kept: Kept | undefined

type State = Pick<Arriving, 'loading' | 'isDone' | 'error'>

const NOTHING: State = { loading: undefined, isDone: false, error: undefined }

/** Loads while the map is on the screen. */
export function usePoints(query: string, pair: Pair): Arriving {
  const [state, setState] = useState(NOTHING)
  const [turn, setTurn] = useState(0)
  const [stopped, setStopped] = useState<AbortController>()
  const of = JSON.stringify([query, pair, user.value?.name ?? null])
  useEffect(() => {
    if (kept?.of === of) {
      setState({ loading: kept.loading, isDone: true, error: undefined })
      return undefined
    }
    const outdated = new AbortController()
    setStopped(outdated)
    setState(NOTHING)
    const tell = (loading: Loading): void => {
      if (!outdated.signal.aborted) setState({ loading, isDone: false, error: undefined })
    }
    void load({ query, pair, of }, tell, outdated).then((end) => {
      if (!outdated.signal.aborted) setState((before) => ({ ...before, ...end }))
    })
    return () => {
      outdated.abort()
    }
  }, [of, turn])
  return {
    ...state,
    stop: () => {
      stopped?.abort()
      setState((before) => ({ ...before, isDone: true }))
    },
    again: () => {
      kept = undefined
      setTurn((before) => before + 1)
    },
  }
}

async function load(
  { query, pair, of }: { query: string; pair: Pair; of: string },
  tell: (loading: Loading) => void,
  outdated: AbortController,
): Promise<Partial<State>> {
  let latest: Loading | undefined
  try {
    await loadPoints(
      query,
      pair,
      (loading) => {
        latest = loading
        tell(loading)
      },
      outdated.signal,
    )
    if (latest !== undefined && !outdated.signal.aborted) kept = { of, loading: latest }
    return { isDone: true }
  } catch (error) {
    return { error }
  }
}
