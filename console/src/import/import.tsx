import type { JSX } from 'preact'

export default function Import(): JSX.Element {
  return <h1>Import</h1>
}
