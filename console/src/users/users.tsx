import type { JSX } from 'preact'

export default function Users(): JSX.Element {
  return <h1>Users</h1>
}
