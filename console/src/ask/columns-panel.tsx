/** A panel in which the user chooses the columns of the table. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { TagInput } from '../parts/tag-input.tsx'
import { moved } from './columns.ts'
import { keepingFocus } from './focus.ts'
import { showColumns } from './state.ts'

export function ColumnsPanel({ columns }: { columns: readonly string[] }): JSX.Element {
  const [added, setAdded] = useState('')
  const add = (event: SubmitEvent): void => {
    event.preventDefault()
    const tag = added.trim()
    setAdded('')
    if (tag.includes('/') && !columns.includes(tag)) showColumns([...columns, tag])
  }
  return (
    <>
      <ol class="chosen">
        {columns.map((tag, at) => (
          <li key={tag}>
            <span>{tag}</span>
            <Change label={`Move ${tag} left`} sign="←" to={moved(columns, tag, -1)} off={at === 0} />
            <Change
              label={`Move ${tag} right`}
              sign="→"
              to={moved(columns, tag, 1)}
              off={at === columns.length - 1}
            />
            <Change label={`Remove ${tag}`} sign="×" to={columns.filter((one) => one !== tag)} />
          </li>
        ))}
      </ol>
      <form class="add-column" onSubmit={add}>
        <TagInput label="Add the column of a tag" value={added} onInput={setAdded} />
        <button type="submit">Add</button>
      </form>
    </>
  )
}

interface ChangeProps {
  readonly label: string
  readonly sign: string
  readonly to: readonly string[]
  readonly off?: boolean
}

/** A `disabled` button would lose the focus when a column reaches an end. */
const Change = ({ label, sign, to, off = false }: ChangeProps): JSX.Element => (
  <button
    type="button"
    class="plain"
    aria-label={label}
    title={label}
    aria-disabled={off}
    onClick={() => {
      if (!off) keepingFocus(() => showColumns(to))
    }}
  >
    {sign}
  </button>
)
