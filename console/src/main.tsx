/** Where the console begins. */
import { render } from 'preact'
import './styles/base.css'
import './styles/layout.css'
import { route } from './route.ts'
import { App } from './shell/app.tsx'
import { viewOf } from './shell/views.ts'

// On its way while the frame around it is rendered. Whether it fails is for the view to say.
viewOf(route.value.view)?.().catch(() => undefined)
render(<App />, document.getElementById('console') as HTMLElement)
