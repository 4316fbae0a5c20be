import type { JSX } from 'preact'

export default function Namespace(): JSX.Element {
  return <h1>Namespace</h1>
}
