/** The frame around each view: the query, the tree, who is signed in, and what was sent to the service. */
import type { ComponentType, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Notices } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { QueryBox } from '../query/box.tsx'
import { hrefOf, route } from '../route.ts'
import { Tree } from '../tree/tree.tsx'
import { Account } from './account.tsx'
import { RequestBar } from './request-bar.tsx'
import { VIEWS } from './views.ts'

export function App(): JSX.Element {
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        Skip to the contents
      </a>
      <header class="bar">
        <a class="home" href={hrefOf('start')}>
          Gloss
        </a>
        <QueryBox />
        <Account />
      </header>
      <div class="columns">
        <nav aria-label="Namespaces and tags">
          <Tree />
        </nav>
        <main id="main" tabIndex={-1}>
          <View />
        </main>
      </div>
      <RequestBar />
      <Notices />
    </>
  )
}

/** The fragment is the URL of the view, so the link cannot have one of its own. */
function toMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** The view that the URL names. A new one takes the focus, so that keys and readers begin there. */
function View(): JSX.Element {
  const { view } = route.value
  const [shown, setShown] = useState<{ view: string; Component: ComponentType } | undefined>()
  const [error, setError] = useState<unknown>()
  const first = useRef(true)
  useEffect(() => {
    const load = VIEWS[view]
    let outdated = false
    setError(undefined)
    load?.().then(
      (module) => {
        if (outdated) return
        setShown({ view, Component: module.default })
        if (!first.current) document.getElementById('main')?.focus()
        first.current = false
      },
      (reason: unknown) => {
        if (!outdated) setError(reason)
      },
    )
    return () => {
      outdated = true
    }
  }, [view])
  if (VIEWS[view] === undefined) return <NoSuchView />
  if (error !== undefined) return <Problem error={error} again={() => location.reload()} />
  if (shown?.view !== view) return <p class="waiting">Loading …</p>
  return <shown.Component />
}

const NoSuchView = (): JSX.Element => (
  <>
    <h1>There is no such page</h1>
    <p>
      Begin at the <a href={hrefOf('start')}>start</a>.
    </p>
  </>
)
