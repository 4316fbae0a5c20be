/** Takes a file that the user drops, chooses or pastes. */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useDrop } from '../parts/drop.ts'
import { openFile } from './open.ts'

const TAKEN = '.csv,.tsv,.txt,.json,.ndjson,.jsonl,.gz,text/csv,application/json'

export function Choose({ user }: { user: string }): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const take = (file: File | null | undefined): void => {
    if (file) void openFile(file, user)
  }
  const [isOver, target] = useDrop(take)
  return (
    <>
      <p>
        Each row of a file says something about one object, and each column becomes a tag. You will see what
        becomes of it before anything is written.
      </p>
      <div class={isOver ? 'drop over' : 'drop'} {...target}>
        <p>
          <strong>Drop a file here</strong>, or
        </p>
        <button type="button" class="main" onClick={() => field.current?.click()}>
          Choose a file
        </button>
        <input
          ref={field}
          class="hidden"
          type="file"
          tabIndex={-1}
          aria-label="File to import"
          accept={TAKEN}
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0])
            // Without this, a second choice of the same file would not be an event.
            currentTarget.value = ''
          }}
        />
        <p class="hint">CSV, TSV, JSON (an array, or an object a line), also packed as .gz</p>
      </div>
      <Paste onPaste={take} />
    </>
  )
}

function Paste({ onPaste }: { onPaste: (file: File) => void }): JSX.Element {
  const [text, setText] = useState('')
  return (
    <form
      class="paste"
      onSubmit={(event) => {
        event.preventDefault()
        onPaste(new File([text], 'pasted'))
      }}
    >
      <label>
        Or paste rows, the first line being the names of the columns
        <textarea
          rows={6}
          spellcheck={false}
          placeholder={'id,name,population\n1,Leipzig,616093'}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <p class="actions">
        <button type="submit" disabled={text.trim() === ''}>
          Use these rows
        </button>
      </p>
    </form>
  )
}
