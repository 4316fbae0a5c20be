/** A field with its label above it, and help or an error below it. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import './field.css'

/** The properties that the control of a field needs. */
export interface OfField {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  /** The error in the input. */
  readonly flaw?: string | undefined
  readonly children: (of: OfField) => JSX.Element
}

export function Field({ label, hint = '', flaw, children }: FieldProps): JSX.Element {
  const id = useId()
  const told = flaw ?? hint
  const about = told === '' ? undefined : `${id}-about`
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': flaw !== undefined })}
      {told !== '' && (
        <p id={about} class={flaw === undefined ? 'hint' : 'flaw'}>
          {told}
        </p>
      )}
    </div>
  )
}
