/** Who is signed in, and signing in and out. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/problem.tsx'
import { signIn, signOut, user } from '../service/service.ts'

export function Account(): JSX.Element {
  const [asking, setAsking] = useState(false)
  const name = user.value?.name
  return (
    <div class="account">
      {name === undefined ? (
        <button type="button" onClick={() => setAsking(true)}>
          Sign in
        </button>
      ) : (
        <>
          <span class="name">{name}</span>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </>
      )}
      {asking && <SignIn onClose={() => setAsking(false)} />}
    </div>
  )
}

function SignIn({ onClose }: { onClose: () => void }): JSX.Element {
  const [error, setError] = useState<unknown>()
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    try {
      await signIn(fields.get('name') as string, fields.get('password') as string)
      onClose()
    } catch (reason) {
      setError(reason)
    }
  }
  return (
    <Dialog title="Sign in" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          User name
          <input name="name" autocomplete="username" required autofocus />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        {error !== undefined && <Problem error={error} />}
        <p class="hint">The password stays in this page, and is gone when you close or reload it.</p>
        <button type="submit" class="main">
          Sign in
        </button>
      </form>
    </Dialog>
  )
}
