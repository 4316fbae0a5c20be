import type { JSX } from 'preact'

export default function Start(): JSX.Element {
  return <h1>Start</h1>
}
