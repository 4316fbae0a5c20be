/** Shows a query with marks on some parts. */
import type { JSX } from 'preact'
import { visible } from '../../../common/values.ts'
import type { Extent } from './faults.ts'

interface MarkedProps {
  readonly query: string
  /** The parts, in order and without overlaps. */
  readonly parts: readonly Extent[]
}

export function Marked({ query, parts }: MarkedProps): JSX.Element {
  const before = (at: number): string => visible(query.slice(parts[at - 1]?.end ?? 0, parts[at]?.start))
  return (
    <p class="marked">
      <code>
        {parts.map(({ start, end }, at) => (
          <>
            {before(at)}
            <mark>{end > start ? visible(query.slice(start, end)) : ' '}</mark>
          </>
        ))}
        {before(parts.length)}
      </code>
    </p>
  )
}
