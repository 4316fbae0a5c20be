/** Shows one value on an object: its tag, the value, its writer and time, and buttons. */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Conflict } from '../edit/conflict.tsx'
import { EditValue } from '../edit/edit-value.tsx'
import { useSaving, type Saving } from '../edit/saving.ts'
import { readStored, type Slot } from '../edit/stored.ts'
import { focusContents } from '../parts/focus.ts'
import { Problem } from '../parts/problem.tsx'
import { When } from '../parts/when.tsx'
import { hrefOf } from '../route.ts'
import { user } from '../service/service.ts'
import { fetchWritten, type TagValue } from './object-data.ts'
import { Whole } from './whole.tsx'

interface RowProps {
  readonly slot: Slot
  readonly value: TagValue
  readonly isEdited: boolean
  /** Receives the tag to edit, or undefined for none. */
  readonly onEdit: (tag: string | undefined) => void
}

export function Row({ slot, value, isEdited, onEdit }: RowProps): JSX.Element {
  const { tag, updatedAt, by } = value
  const edit = useFocusAfter(isEdited)
  const deleting = useSaving(focusContents)
  return (
    <li>
      <div class="value-tag">
        <a href={hrefOf('tag', tag.split('/'))}>{tag.slice(tag.lastIndexOf('/') + 1)}</a>
      </div>
      <div class="value-main">
        {isEdited ? (
          <EditValue slot={slot} onClose={() => onEdit(undefined)} />
        ) : (
          <Whole slot={slot} value={value} />
        )}
        <Deletion slot={slot} deleting={deleting} />
      </div>
      <div class="written">
        <p>
          <When at={updatedAt} /> <Writer name={by} />
        </p>
        {isChangeable(tag) && !isEdited && (
          <p class="actions">
            <button ref={edit} class="small edit-value" type="button" onClick={() => onEdit(tag)}>
              Edit<span class="hidden"> {tag}</span>
            </button>
            <button
              class="small"
              type="button"
              disabled={deleting.busy}
              onClick={() => void remove(slot, value, deleting)}
            >
              Delete<span class="hidden"> {tag}</span>
            </button>
          </p>
        )}
      </div>
    </li>
  )
}

/** Only the service changes its own tags, and anonymous users cannot change values. */
export const isChangeable = (tag: string): boolean => user.value !== undefined && !tag.startsWith('service/')

/** Deletes a value if it is still the displayed one. */
async function remove(slot: Slot, { updatedAt }: TagValue, deleting: Saving): Promise<void> {
  try {
    const theirs = await readStored(slot)
    // If the time of the write is the same, the value that the console has just read is the displayed one.
    if (theirs !== undefined && (await fetchWritten(slot.id, slot.tag)) === updatedAt) {
      await deleting.save(slot, theirs, undefined)
    } else deleting.compare({ theirs, mine: undefined })
  } catch (error) {
    deleting.fail(error)
  }
}

/** Shows the error that prevented the deletion. */
function Deletion({ slot, deleting }: { slot: Slot; deleting: Saving }): JSX.Element | null {
  const { conflict, error, save, compare } = deleting
  if (error !== undefined) return <Problem error={error} />
  if (conflict === undefined) return null
  return (
    <Conflict
      tag={slot.tag}
      {...conflict}
      onTheirs={() => compare(undefined)}
      onMine={() => void save(slot, conflict.theirs, undefined)}
    />
  )
}

function Writer({ name }: { name: string | null | undefined }): JSX.Element | null {
  if (name === undefined) return null
  if (name === null) return <>by a user who is gone</>
  return (
    <>
      by <a href={hrefOf('recent', [], { show: 'user', user: name })}>{name}</a>
    </>
  )
}

/** Hook: returns the focus to the button when the editing of its value ends. */
function useFocusAfter(isEdited: boolean): { current: HTMLButtonElement | null } {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(false)
  useLayoutEffect(() => {
    if (before.current && !isEdited) button.current?.focus()
    before.current = isEdited
  }, [isEdited])
  return button
}
