/** Where the console begins. */
import { render } from 'preact'
import './styles/base.css'
import './styles/layout.css'
import { App } from './shell/app.tsx'

render(<App />, document.getElementById('console') as HTMLElement)
