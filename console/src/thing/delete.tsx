/** Deletes a tag or a namespace. There is no undo, so the user must type its path. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { notify } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import type { PolicyOwner } from '../permissions/policies.ts'
import { go, hrefOf } from '../route.ts'
import { parentOf } from '../tree/rows.ts'
import { treeChanged } from '../tree/state.ts'
import { remove } from './thing.ts'

interface DeleteProps {
  readonly place: PolicyOwner
  /** Describes the data that the deletion also removes. */
  readonly loses: string
  readonly onClose: () => void
}

export function Delete({ place, loses, onClose }: DeleteProps): JSX.Element {
  const { path, kind } = place
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<unknown>()
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (typed.trim() !== path) return
    try {
      await remove(place)
      notify(`Deleted the ${kind} ${path}`)
      onClose()
      treeChanged()
      go(hrefOf('namespace', parentOf(path).split('/')), true)
    } catch (reason) {
      setError(reason)
    }
  }
  return (
    <Dialog title={`Delete the ${kind} ${path}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{loses} Nothing brings it back.</p>
        <label>
          Type <strong class="code">{path}</strong> to confirm
          <input
            value={typed}
            autofocus
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {error !== undefined && <Problem error={error} />}
        <p class="actions">
          <button type="submit" class="danger" disabled={typed.trim() !== path}>
            Delete {kind}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  )
}
