/** Components that load when they first appear. */
import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../parts/problem.tsx'

type Loader<P> = () => Promise<ComponentType<P>>

/** A component that loads another one, and shows a message until then. */
export function late<P extends object>(load: Loader<P>): (props: P) => JSX.Element {
  return function Late(props: P): JSX.Element {
    const [shown, setShown] = useState<{ Component: ComponentType<P> } | undefined>()
    const [error, setError] = useState<unknown>()
    useEffect(() => {
      load().then((Component) => setShown({ Component }), setError)
    }, [])
    if (error !== undefined) return <Problem error={error} again={() => location.reload()} />
    return shown === undefined ? <p class="waiting">Loading …</p> : <shown.Component {...props} />
  }
}
