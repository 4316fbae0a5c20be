/** Creates a namespace or a tag in a namespace. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { notify } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import type { Kind } from '../permissions/policies.ts'
import { go, hrefOf } from '../route.ts'
import { treeChanged } from '../tree/state.ts'
import { create } from './thing.ts'

interface CreateProps {
  readonly kind: Kind
  readonly parent: string
  readonly onClose: () => void
}

export function Create({ kind, parent, onClose }: CreateProps): JSX.Element {
  const [error, setError] = useState<unknown>()
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const name = (fields.get('name') as string).trim()
    const description = (fields.get('description') as string).replaceAll('\r\n', '\n')
    try {
      await create({ kind, parent, name, description, indexed: fields.get('indexed') !== null })
      notify(`Created the ${kind} ${parent}/${name}`)
      onClose()
      treeChanged()
      go(hrefOf(kind, [...parent.split('/'), name]))
    } catch (reason) {
      setError(reason)
    }
  }
  return (
    <Dialog title={`New ${kind} in ${parent}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          Name
          <input name="name" required autofocus autocomplete="off" autocapitalize="none" spellcheck={false} />
        </label>
        <p class="hint">Letters of any alphabet, digits, and _ : . -</p>
        <label>
          Description
          <textarea name="description" rows={2} />
        </label>
        {kind === 'tag' && <Indexed />}
        <p class="hint">It begins with the permissions of {parent}; you can change them afterwards.</p>
        {error !== undefined && <Problem error={error} />}
        <p class="actions">
          <button type="submit" class="main">
            Create {kind}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  )
}

const Indexed = (): JSX.Element => (
  <label class="check">
    <input type="checkbox" name="indexed" defaultChecked />
    <span>
      Index the words of its values, so that <code>matches</code> finds them. This cannot be changed later.
    </span>
  </label>
)
