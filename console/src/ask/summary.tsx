/**
 * Shows the number of matches of a query and of each of its conditions, the time of the search, and the number of loaded
 * rows.
 */
import type { JSX } from 'preact'
import { useLoaded } from '../parts/loaded.ts'
import { many } from '../parts/tag-input.tsx'
import { MOST_ROWS, type Rows, type RowState } from './rows.ts'

interface SummaryProps {
  readonly query: string
  readonly rows: Rows
}

export function Summary({ query, rows }: SummaryProps): JSX.Element {
  const state = rows.state.value
  const { took, count, known, complete } = state
  return (
    <div class="summary">
      <h1 aria-live="polite">{headingOf(state)}</h1>
      {took !== undefined && <span>{Math.round(took).toLocaleString('en')} ms</span>}
      {known > 0 && /\b(?:and|or|except)\b/i.test(query) && <Conditions key={query} query={query} />}
      {!complete && known > 0 && <span>{many(known, 'row')} loaded</span>}
      {typeof count === 'number' && count > MOST_ROWS && (
        <span>
          the table shows the first {MOST_ROWS.toLocaleString('en')}: narrow the query, or export all of them
        </span>
      )}
    </div>
  )
}

/**
 * Shows nothing if the service cannot count the conditions, because the rows are there. If there are no matches,
 * `Nothing` shows the counts of its own check.
 */
function Conditions({ query }: { query: string }): JSX.Element | null {
  const { value } = useLoaded(
    async (signal) => {
      const { checkQuery, eachOf } = await import('../query/check.ts')
      const { conditions } = await checkQuery(query, signal)
      return conditions.length > 1 ? eachOf(conditions) : undefined
    },
    [query],
  )
  return value === undefined ? null : <span>{value}</span>
}

function headingOf({ count, known, took }: RowState): string {
  if (took === undefined) return 'Asking …'
  if (typeof count === 'number') return many(count, 'object')
  return count === undefined
    ? `More than ${many(known, 'object')}, counting …`
    : `More than ${many(known, 'object')}, too many to count`
}
