/** A file as an opaque value: chosen or dropped, with a content type that can be changed. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { bytesText } from './content.ts'
import type { FieldProps } from './fields.tsx'

/** What is said of bytes of which nothing is known. */
const ANY_BYTES = 'application/octet-stream'

export function FileField({ draft, onDraft }: FieldProps): JSX.Element {
  const [over, setOver] = useState(false)
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    onDraft({ ...draft, bytes, contentType: file.type === '' ? ANY_BYTES : file.type })
  }
  return (
    <div
      class={`value-file ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer?.files[0])
      }}
    >
      <label>
        File
        <input
          type="file"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0])
          }}
        />
      </label>
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
