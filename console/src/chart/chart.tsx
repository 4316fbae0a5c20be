import type { JSX } from 'preact'

interface ChartProps {
  readonly query: string
  readonly onNarrow: (condition: string) => void
}

export default function Chart({ query }: ChartProps): JSX.Element {
  return <p>{query}</p>
}
