/** Two fields for a range of numbers, for keyboard users and for exact numbers. */
import type { JSX } from 'preact'
import { NUMBER, type Range } from './range.ts'

interface RangeFormProps {
  /** The name of the numbers. */
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

/** A field for a number in the syntax of the query language. */
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

/** The text of a field. */
export function textIn(fields: FormData, name: string): string {
  const text = fields.get(name)
  return typeof text === 'string' ? text.trim() : ''
}
