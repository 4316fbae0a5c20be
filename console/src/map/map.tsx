import type { JSX } from 'preact'

interface MapProps {
  readonly query: string
  readonly onNarrow: (condition: string) => void
}

export default function Map({ query }: MapProps): JSX.Element {
  return <p>{query}</p>
}
