import type { JSX } from 'preact'

export default function Tag(): JSX.Element {
  return <h1>Tag</h1>
}
