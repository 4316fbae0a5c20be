/** How many objects a query finds, how long that took, and how many of them are there. */
import type { JSX } from 'preact'
import { many } from '../parts/tag-input.tsx'
import { MOST_ROWS, type Rows, type RowState } from './rows.ts'

export function Summary({ rows }: { rows: Rows }): JSX.Element {
  const state = rows.state.value
  const { took, count, known, complete } = state
  return (
    <div class="summary">
      <h1 aria-live="polite">{headingOf(state)}</h1>
      {took !== undefined && <span>{Math.round(took).toLocaleString('en')} ms</span>}
      {!complete && known > 0 && <span>{many(known, 'row')} loaded</span>}
      {typeof count === 'number' && count > MOST_ROWS && (
        <span>
          the table shows the first {MOST_ROWS.toLocaleString('en')}: narrow the query, or export all of them
        </span>
      )}
    </div>
  )
}

function headingOf({ count, known, took }: RowState): string {
  if (took === undefined) return 'Asking …'
  if (typeof count === 'number') return many(count, 'object')
  return count === undefined
    ? `More than ${many(known, 'object')}, counting …`
    : `More than ${many(known, 'object')}, too many to count`
}
