import type { JSX } from 'preact'

export default function ObjectView(): JSX.Element {
  return <h1>ObjectView</h1>
}
