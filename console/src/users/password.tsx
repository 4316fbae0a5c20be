/** Sets the user's own password or, as a superuser, that of another user. */
import type { JSX } from 'preact'
import { Dialog } from '../parts/dialog.tsx'
import { notify } from '../parts/notices.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { Problem } from '../parts/problem.tsx'
import { signIn, signOut, user } from '../service/service.ts'
import { useSending } from './sent.ts'
import { changePerson } from './people.ts'

interface PasswordProps {
  readonly onClose: () => void
  /** The user of the password; by default the signed-in one. */
  readonly username?: string
}

/** The service's requirements for passwords. */
export const PASSWORD_HINT = 'At least 8 characters, unless the operator of the service chose another number.'

/** From now on, the old password is wrong. */
async function signInAgain(name: string, password: string): Promise<void> {
  try {
    await signIn(name, password)
    notify('Your password is changed')
  } catch {
    signOut()
    notify('Your password is changed, but signing in with it failed: sign in again')
  }
}

export default function Password({ onClose, username }: PasswordProps): JSX.Element {
  const own = user.value?.name ?? ''
  const name = username ?? own
  const { busy, error, submit } = useSending(async (field) => {
    const password = field('password')
    await changePerson(name, { password })
    if (name === own) await signInAgain(name, password)
    else notify(`The password of ${name} is changed`)
    onClose()
  })
  return (
    <Dialog title={name === own ? 'Change my password' : `New password of ${name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <input type="hidden" name="username" autocomplete="username" value={name} />
        <PasswordField label="New password" autocomplete="new-password" />
        <p class="hint">{PASSWORD_HINT}</p>
        {error !== undefined && <Problem error={error} />}
        <p class="actions">
          <button type="submit" class="main" disabled={busy}>
            {busy ? 'Changing …' : 'Change'}
          </button>
        </p>
      </form>
    </Dialog>
  )
}
