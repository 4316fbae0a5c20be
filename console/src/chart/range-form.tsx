/** Two fields for the numbers from one to another, for those who type, and for exact ones. */
import type { JSX } from 'preact'
import { NUMBER, type Range } from './range.ts'

interface RangeFormProps {
  /** What the numbers are of. */
  readonly of: string
  readonly onApply: (range: Range) => void
}

export function RangeForm({ of, onApply }: RangeFormProps): JSX.Element {
  return (
    <form
      class="range"
      onSubmit={(event) => {
        event.preventDefault()
        const fields = new FormData(event.currentTarget)
        const range = { from: textIn(fields, 'from'), to: textIn(fields, 'to') }
        if (range.from !== '' || range.to !== '') onApply(range)
      }}
    >
      <NumberField name="from" label={`${of}, from`} placeholder="from" />
      <span aria-hidden="true">–</span>
      <NumberField name="to" label={`${of}, to`} placeholder="to" />
      <button type="submit" aria-label={`Keep these numbers of ${of}`}>
        Keep
      </button>
    </form>
  )
}

interface NumberFieldProps {
  readonly name: string
  readonly label: string
  readonly placeholder: string
}

/** A field for a number as the query language writes it. */
export const NumberField = ({ name, label, placeholder }: NumberFieldProps): JSX.Element => (
  <input
    name={name}
    aria-label={label}
    placeholder={placeholder}
    pattern={NUMBER}
    title="A number, such as 10, -2.5 or 1e6"
    inputMode="decimal"
    autocomplete="off"
  />
)

/** What stands in a field. */
export function textIn(fields: FormData, name: string): string {
  const text = fields.get(name)
  return typeof text === 'string' ? text.trim() : ''
}
