/** A value of one more tag on an object. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { TagInput } from '../parts/tag-input.tsx'
import { Conflict } from './conflict.tsx'
import type { Content } from './content.ts'
import { useSaving } from './saving.ts'
import { idOf, type Slot } from './stored.ts'
import { ValueForm } from './value-form.tsx'

interface AddValueProps {
  /** The object, by its id, or by its about value if nobody has mentioned it yet. */
  readonly id: string | undefined
  readonly about: string
  /** What the path of the tag begins with. */
  readonly beginning: string
  readonly onClose: () => void
}

export function AddValue({ id, about, beginning, onClose }: AddValueProps): JSX.Element {
  const [tag, setTag] = useState(beginning)
  const [slot, setSlot] = useState<Slot | undefined>()
  const { busy, error, conflict, save, fail } = useSaving(onClose)
  const add = async (content: Content): Promise<void> => {
    try {
      const place = { id: id ?? (await idOf(about)), tag: tag.trim() }
      setSlot(place)
      await save(place, undefined, content)
    } catch (reason) {
      fail(reason)
    }
  }
  if (conflict !== undefined && slot !== undefined) {
    return (
      <Conflict
        tag={slot.tag}
        {...conflict}
        onTheirs={onClose}
        onMine={() => void save(slot, conflict.theirs, conflict.mine)}
      />
    )
  }
  return (
    <ValueForm
      initial={undefined}
      busy={busy}
      error={error}
      onSave={(content) => void add(content)}
      onCancel={onClose}
    >
      <TagInput value={tag} onInput={setTag} label="Tag" required />
    </ValueForm>
  )
}
