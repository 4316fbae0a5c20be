/** Shows the view in the URL. */
import type { ComponentType, JSX } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { focusContents } from '../parts/focus.ts'
import { Problem } from '../parts/problem.tsx'
import { hrefOf, route } from '../route.ts'
import { viewOf } from './views.ts'

/**
 * Loads a view when it first appears. A new view takes the focus, so that keyboard and screen-reader users begin there.
 */
export function View(): JSX.Element {
  const { view, at } = route.value
  const [shown, setShown] = useState<{ view: string; Component: ComponentType } | undefined>()
  const [error, setError] = useState<unknown>()
  useFocusOnNew(`${view}/${at.join('/')}`)
  // The load begins before the paint of the frame, because it need not wait for it.
  useLayoutEffect(() => {
    const load = viewOf(view)
    let outdated = false
    setError(undefined)
    load?.().then(
      (module) => {
        if (!outdated) setShown({ view, Component: module.default })
      },
      (reason: unknown) => {
        if (!outdated) setError(reason)
      },
    )
    return () => {
      outdated = true
    }
  }, [view])
  if (viewOf(view) === undefined) return <NoSuchView />
  if (error !== undefined) return <Problem error={error} />
  if (shown?.view !== view) return <p class="waiting">Loading …</p>
  return <Guarded key={view} Component={shown.Component} />
}

/** The view takes the focus immediately; once loaded, it may move the focus to a part of itself, such as a row. */
function useFocusOnNew(place: string): void {
  const before = useRef(place)
  useLayoutEffect(() => {
    if (before.current !== place) focusContents()
    before.current = place
  }, [place])
}

/** A failure of a view does not affect the rest of the page. */
function Guarded({ Component }: { Component: ComponentType }): JSX.Element {
  const [error, reset] = useErrorBoundary() as [unknown, () => void]
  const { value } = route
  const failedAt = useRef(value)
  useEffect(() => {
    if (error !== undefined && failedAt.current !== value) reset()
    failedAt.current = value
  }, [value])
  if (error === undefined) return <Component />
  return (
    <>
      <h1>This page of the console failed</h1>
      <Problem error={error} again={reset} />
    </>
  )
}

const NoSuchView = (): JSX.Element => (
  <>
    <h1>There is no such page</h1>
    <p>
      Begin at the <a href={hrefOf('start')}>start</a>.
    </p>
  </>
)
