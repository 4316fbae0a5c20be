/** Creates a user. */
import type { JSX } from 'preact'
import { Dialog } from '../parts/dialog.tsx'
import { notify } from '../parts/notices.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { Problem } from '../parts/problem.tsx'
import { go, hrefOf } from '../route.ts'
import { PASSWORD_HINT } from './password.tsx'
import { useSending } from './sent.ts'
import { createPerson } from './people.ts'

export function Create({ onClose }: { onClose: () => void }): JSX.Element {
  const { busy, error, submit } = useSending(async (field) => {
    const username = field('username').toLowerCase()
    await createPerson(username, {
      name: field('name'),
      email: field('email'),
      password: field('password'),
    })
    onClose()
    notify(`The user ${username} is created`)
    go(hrefOf('users', [username]))
  })
  return (
    <Dialog title="Create a user" onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          User name
          <input
            name="username"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required
            autofocus
            aria-describedby="username-hint"
          />
        </label>
        <p class="hint" id="username-hint">
          Letters, digits and _ . - to sign in with. It is also the name of their namespace, and stays.
        </p>
        <label>
          Name
          <input name="name" autocomplete="off" />
        </label>
        <label>
          E-mail
          <input name="email" type="email" autocomplete="off" />
        </label>
        <PasswordField label="Password" autocomplete="new-password" />
        <p class="hint">{PASSWORD_HINT}</p>
        {error !== undefined && <Problem error={error} />}
        <p class="actions">
          <button type="submit" class="main" disabled={busy}>
            {busy ? 'Creating …' : 'Create'}
          </button>
        </p>
      </form>
    </Dialog>
  )
}
