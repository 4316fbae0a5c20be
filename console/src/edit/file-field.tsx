/** A field for a file as an opaque value. The user chooses or drops it, and can change its content type. */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useDrop } from '../parts/drop.ts'
import { bytesText } from './content.ts'
import type { FieldProps } from './draft.ts'

/** The content type of bytes of unknown kind. */
const ANY_BYTES = 'application/octet-stream'

export function FileField({ draft, onDraft }: FieldProps): JSX.Element {
  const [isUnreadable, setUnreadable] = useState(false)
  const latest = useRef(draft)
  latest.current = draft
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    const bytes = await file.arrayBuffer().catch(() => undefined)
    setUnreadable(bytes === undefined)
    if (bytes === undefined) return
    const contentType = file.type === '' ? ANY_BYTES : file.type
    onDraft({ ...latest.current, bytes: new Uint8Array(bytes), contentType })
  }
  const [isOver, target] = useDrop((file) => void take(file))
  return (
    <div class={`value-file ${isOver ? 'over' : ''}`} {...target}>
      <label>
        File
        <input
          type="file"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0])
          }}
        />
      </label>
      {isUnreadable && (
        <p class="flaw" role="alert">
          This file cannot be read: choose it again, or another one.
        </p>
      )}
      <p class="hint">
        {draft.bytes === undefined ? 'Choose a file, or drop one here.' : bytesText(draft.bytes.length)}
      </p>
      <label>
        Content type
        <input
          autocomplete="off"
          aria-describedby="fault"
          placeholder="image/png"
          value={draft.contentType}
          onInput={(event) => {
            onDraft({ ...draft, contentType: event.currentTarget.value })
          }}
        />
      </label>
    </div>
  )
}
