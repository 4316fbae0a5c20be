/** A form that adds a value of another tag to an object. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { TagInput } from '../parts/tag-input.tsx'
import { Conflict } from './conflict.tsx'
import type { Content } from './content.ts'
import { useSaving } from './saving.ts'
import type { ValueAddress } from './stored.ts'
import { ValueForm } from './value-form.tsx'

interface AddValueProps {
  /** The object: its id, or its about value if the object does not exist yet. */
  readonly id: string | undefined
  readonly about: string
  /** The beginning of the path of the tag. */
  readonly beginning: string
  readonly onClose: () => void
}

export function AddValue({ id, about, beginning, onClose }: AddValueProps): JSX.Element {
  const [tag, setTag] = useState(beginning)
  const [place, setPlace] = useState<ValueAddress | undefined>()
  const { busy, error, conflict, save } = useSaving(onClose)
  const add = (content: Content): void => {
    const chosen = { ...(id === undefined ? { about } : { id }), tag: tag.trim() }
    setPlace(chosen)
    void save(chosen, undefined, content)
  }
  if (conflict !== undefined && place !== undefined) {
    return (
      <Conflict
        tag={place.tag}
        {...conflict}
        onTheirs={onClose}
        onMine={() => void save(place, conflict.theirs, conflict.mine)}
      />
    )
  }
  return (
    <ValueForm initial={undefined} busy={busy} error={error} onSave={add} onCancel={onClose}>
      <TagInput value={tag} onInput={setTag} label="Tag" required />
    </ValueForm>
  )
}
