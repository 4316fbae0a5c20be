/** A password field that can show its content. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

interface PasswordFieldProps {
  readonly label: string
  readonly autocomplete: 'current-password' | 'new-password'
}

/** A field named `password` in a form, with a switch. */
export function PasswordField({ label, autocomplete }: PasswordFieldProps): JSX.Element {
  const [shown, setShown] = useState(false)
  const props = { name: 'password', autocomplete, required: true, spellcheck: false }
  return (
    <>
      <label>
        {label}
        {shown ? <input type="text" {...props} /> : <input type="password" {...props} />}
      </label>
      <label class="choice">
        <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} /> Show what I type
      </label>
    </>
  )
}
