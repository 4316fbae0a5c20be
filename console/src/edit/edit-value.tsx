/** Edits a value in its place. The form reads the current value when it opens. */
import type { JSX } from 'preact'
import { Problem } from '../parts/problem.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Conflict } from './conflict.tsx'
import { useSaving } from './saving.ts'
import { readStored, type Slot } from './stored.ts'
import { ValueForm } from './value-form.tsx'

interface EditValueProps {
  readonly slot: Slot
  readonly onClose: () => void
}

export function EditValue({ slot, onClose }: EditValueProps): JSX.Element {
  const { id, tag } = slot
  const stored = useLoaded(async (signal) => ({ before: await readStored(slot, signal) }), [id, tag])
  const { busy, error, conflict, save } = useSaving(onClose)
  if (stored.error !== undefined) return <Problem error={stored.error} again={stored.again} />
  if (stored.value === undefined) return <p class="waiting">Reading the value …</p>
  const { before } = stored.value
  if (conflict !== undefined) {
    return (
      <Conflict
        tag={tag}
        {...conflict}
        onTheirs={onClose}
        onMine={() => void save(slot, conflict.theirs, conflict.mine)}
      />
    )
  }
  return (
    <ValueForm
      // The input belongs to one version.
      key={before?.etag}
      initial={before?.content}
      busy={busy}
      error={error}
      onSave={(content) => void save(slot, before, content)}
      onCancel={onClose}
    />
  )
}
