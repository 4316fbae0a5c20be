/** Shows the description of a tag or namespace, and edits it in its place. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../../../common/values.ts'
import type { Client } from '../../../packages/client/client.ts'
import { notify } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { client } from '../service/service.ts'
import type { PolicyOwner } from '../permissions/policies.ts'
import { describe } from './thing.ts'

interface DescriptionProps {
  readonly place: PolicyOwner
  readonly text: string
  /** Whether to offer an edit. */
  readonly may: boolean
  readonly onChanged: () => void
}

export function Description(props: DescriptionProps): JSX.Element {
  const { text, may } = props
  const [isEditing, setEditing] = useState(false)
  if (isEditing) return <Edit {...props} onClose={() => setEditing(false)} />
  return (
    <div class="description">
      {text === '' ? <p class="hint">No description</p> : <p class="text">{lines(text)}</p>}
      {may && (
        <button type="button" onClick={() => setEditing(true)}>
          {text === '' ? 'Describe it' : 'Edit description'}
        </button>
      )}
    </div>
  )
}

const lines = (text: string): string => text.split('\n').map(visible).join('\n')

function Edit({ place, text, onChanged, onClose }: DescriptionProps & { onClose: () => void }): JSX.Element {
  const [error, setError] = useState<unknown>()
  const [before, setBefore] = useState(text)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const written = new FormData(event.currentTarget as HTMLFormElement).get('description') as string
    // Forms send CRLF line ends.
    const wanted = written.replaceAll('\r\n', '\n')
    const as = client()
    try {
      const theirs = await describe(as, place, before, wanted)
      if (theirs !== undefined) {
        setBefore(theirs)
        setError(new Error(`Somebody has changed it meanwhile: “${theirs}”. To replace that, save again.`))
        return
      }
      notify('Description saved', () => void takeBack(as, place, wanted, before).then(onChanged))
      onChanged()
      onClose()
    } catch (reason) {
      setError(reason)
    }
  }
  return (
    <form class="description" onSubmit={(event) => void submit(event)}>
      <label>
        Description
        <textarea name="description" rows={3} autofocus>
          {text}
        </textarea>
      </label>
      {error !== undefined && <Problem error={error} />}
      <p class="actions">
        <button type="submit" class="main">
          Save
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </form>
  )
}

/** Restores the earlier description, if no user has changed it since. */
async function takeBack(as: Client, place: PolicyOwner, written: string, before: string): Promise<void> {
  try {
    const theirs = await describe(as, place, written, before)
    if (theirs !== undefined) notify('Not taken back: somebody has changed it since')
  } catch (reason) {
    notify(`Not taken back: ${reason instanceof Error ? reason.message : String(reason)}`)
  }
}
