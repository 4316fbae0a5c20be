/** The fields of each type of values. */
import type { JSX } from 'preact'
import type { ValueType } from './content.ts'
import { outcomeOf, withBreaksOf, type FieldProps } from './draft.ts'
import { FileField } from './file-field.tsx'
import { ListField } from './list-field.tsx'

/** The field of the draft's type. */
export function Field(props: FieldProps): JSX.Element {
  const Of = FIELDS[props.draft.type]
  return <Of {...props} />
}

const NullField = (): JSX.Element => (
  <p class="hint">null says nothing more than that the object has the tag.</p>
)

const BooleanField = ({ draft, onDraft }: FieldProps): JSX.Element => (
  <label>
    Value
    <select
      value={String(draft.truth)}
      onChange={(event) => {
        onDraft({ ...draft, truth: event.currentTarget.value === 'true' })
      }}
    >
      <option>true</option>
      <option>false</option>
    </select>
  </label>
)

const NumberField = ({ draft, onDraft }: FieldProps): JSX.Element => (
  <label>
    Value
    <input
      inputMode={draft.type === 'int' ? 'numeric' : 'decimal'}
      autocomplete="off"
      aria-describedby="fault"
      aria-invalid={draft.text !== '' && 'fault' in outcomeOf(draft)}
      value={draft.text}
      onInput={(event) => {
        onDraft({ ...draft, text: event.currentTarget.value })
      }}
    />
  </label>
)

const TextField = ({ draft, onDraft }: FieldProps): JSX.Element => (
  <label>
    Value
    <textarea
      rows={3}
      value={draft.text}
      onInput={(event) => {
        onDraft({ ...draft, text: withBreaksOf(draft.text, event.currentTarget.value) })
      }}
    />
  </label>
)

const FIELDS: Readonly<Record<ValueType, (props: FieldProps) => JSX.Element>> = {
  null: NullField,
  boolean: BooleanField,
  int: NumberField,
  float: NumberField,
  string: TextField,
  'list-of-strings': ListField,
  opaque: FileField,
}
