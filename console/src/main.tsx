/** The entry point of the console. */
import { render } from 'preact'
import './styles/base.css'
import './styles/layout.css'
import { route } from './route.ts'
import { App } from './shell/app.tsx'
import { viewOf } from './shell/views.ts'

// Loads the view while the page renders its frame. The view reports a failure.
viewOf(route.value.view)?.().catch(() => undefined)
render(<App />, document.getElementById('console') as HTMLElement)
