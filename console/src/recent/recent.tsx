import type { JSX } from 'preact'

export default function Recent(): JSX.Element {
  return <h1>Recent</h1>
}
