/** What the values of tags are like on the objects that a query matches. */
import type { JSX } from 'preact'

interface FacetsProps {
  readonly query: string
  readonly tags: readonly string[]
  readonly onNarrow: (condition: string) => void
  readonly onTags: (tags: readonly string[]) => void
}

export function Facets({ tags }: FacetsProps): JSX.Element {
  return <p>{tags.join(', ')}</p>
}
