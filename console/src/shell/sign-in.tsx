/**
 * Signs in with a dialog of the page. The browser's own prompt would keep the password, and the page could not delete it.
 */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { Problem } from '../parts/problem.tsx'
import { signIn } from '../service/service.ts'

export default function SignIn({ onClose }: { onClose: () => void }): JSX.Element {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [closed] = useState(() => new AbortController())
  // A user who closes the dialog cancels the sign-in.
  useEffect(() => () => closed.abort(), [closed])
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const fields = new FormData(form)
    setBusy(true)
    try {
      await signIn(fields.get('name') as string, fields.get('password') as string, closed.signal)
      onClose()
    } catch (reason) {
      if (closed.signal.aborted) return
      setError(reason)
      setBusy(false)
      form.querySelector<HTMLInputElement>('[name=password]')?.select()
    }
  }
  return (
    <Dialog title="Sign in" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <label>
          User name
          <input
            name="name"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
            autofocus
          />
        </label>
        <PasswordField label="Password" autocomplete="current-password" />
        {error !== undefined && <Problem error={error} signIn={false} />}
        <p class="hint">The password stays in this page, and is gone when you close or reload it.</p>
        <p class="actions">
          <button type="submit" class="main" disabled={busy}>
            {busy ? 'Signing in …' : 'Sign in'}
          </button>
        </p>
      </form>
    </Dialog>
  )
}
