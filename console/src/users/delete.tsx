/** Deletes a user, and describes the data that the deletion removes and keeps. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { notify } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { go, hrefOf } from '../route.ts'
import { isRefusal } from '../service/service.ts'
import { useSending } from './sent.ts'
import { deletePerson } from './people.ts'

interface DeleteProps {
  readonly username: string
  readonly onClose: () => void
}

export function Delete({ username, onClose }: DeleteProps): JSX.Element {
  const [typed, setTyped] = useState('')
  const { busy, error, submit } = useSending(async () => {
    await deletePerson(username)
    onClose()
    notify(`The user ${username} is deleted`)
    go(hrefOf('users'), true)
  })
  return (
    <Dialog title={`Delete the user ${username}`} onClose={onClose}>
      <form onSubmit={submit}>
        <WhatGoes username={username} onLeave={onClose} />
        <label>
          To confirm, type {username}
          <input
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            autofocus
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {error !== undefined && <Problem error={error} />}
        {isRefusal(error, 'TNamespaceNotEmpty') && (
          <p class="hint">Delete what is in it first, from its page.</p>
        )}
        <p class="actions">
          <button type="submit" class="danger" disabled={busy || typed !== username}>
            {busy ? 'Deleting …' : 'Delete'}
          </button>
          <button type="button" onClick={onClose}>
            Keep
          </button>
        </p>
      </form>
    </Dialog>
  )
}

const WhatGoes = ({ username, onLeave }: { username: string; onLeave: () => void }): JSX.Element => (
  <div>
    <p>
      This goes, and does not come back: the user, the namespace {username}, and {username} in every list of
      exceptions. What {username} wrote under the tags of others stays.
    </p>
    <p>
      The namespace must be empty, or hold nothing but an empty namespace private:{' '}
      <a href={hrefOf('namespace', [username])} onClick={onLeave}>
        look at {username}
      </a>
      .
    </p>
  </div>
)
