/** A form for a value of any type. Enter saves, in texts Ctrl-Enter; Escape closes it without changes. */
import type { JSX, TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../parts/problem.tsx'
import { TYPE_NAMES, type Content, type ValueType } from './content.ts'
import { draftOf, outcomeOf, withType, type Draft } from './draft.ts'
import './edit.css'
import { Field } from './fields.tsx'
import { brief } from './saving.ts'

interface ValueFormProps {
  /** Undefined for a new value. */
  readonly initial: Content | undefined
  readonly busy: boolean
  readonly error: unknown
  readonly onSave: (content: Content) => void
  readonly onCancel: () => void
  /** Additional fields above the value. */
  readonly children?: JSX.Element
}

export function ValueForm(props: ValueFormProps): JSX.Element {
  const { initial, busy, error, onSave, onCancel, children } = props
  const [draft, setDraft] = useState(() => draftOf(initial))
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const outcome = outcomeOf(draft)
  useLayoutEffect(() => {
    // For a new value, the field above it gets the focus.
    const first = children === undefined ? '.value-field :is(textarea, input, select)' : 'input'
    form.current?.querySelector<HTMLElement>(first)?.focus()
  }, [])
  const submit = (event: Event): void => {
    event.preventDefault()
    setTried(true)
    if ('content' in outcome && !busy) onSave(outcome.content)
  }
  return (
    <form
      ref={form}
      class="value-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        onKey(event, onCancel)
      }}
    >
      {children}
      <div class="value-inputs">
        <TypeChoice draft={draft} onDraft={setDraft} />
        <div class="value-field">
          <Field draft={draft} onDraft={setDraft} />
        </div>
      </div>
      <Outcome draft={draft} tried={tried} />
      {error !== undefined && <Problem error={error} />}
      <p class="actions">
        <button type="submit" class="main" disabled={busy}>
          {busy ? 'Saving …' : 'Save'}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  )
}

interface DraftProps {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
}

const TypeChoice = ({ draft, onDraft }: DraftProps): JSX.Element => (
  <label class="value-type">
    Type
    <select
      value={draft.type}
      onChange={(event) => {
        onDraft(withType(draft, event.currentTarget.value as ValueType))
      }}
    >
      {Object.entries(TYPE_NAMES).map(([type, name]) => (
        <option value={type}>{name}</option>
      ))}
    </select>
  </label>
)

/** Shows the error in the input, or the text of a number if the service will write it differently. */
function Outcome({ draft, tried }: { draft: Draft; tried: boolean }): JSX.Element {
  const outcome = outcomeOf(draft)
  const isNumber = draft.type === 'int' || draft.type === 'float'
  if ('fault' in outcome) {
    const shown = tried || (isNumber && draft.text !== '')
    return (
      <p class="value-fault" id="fault" role="status">
        {shown ? outcome.fault : ''}
      </p>
    )
  }
  const written = isNumber ? brief(outcome.content) : ''
  return (
    <p class="hint" id="fault" role="status">
      {isNumber && written !== draft.text.trim() ? `Will be written as ${written}` : ''}
    </p>
  )
}

function onKey(event: TargetedKeyboardEvent<HTMLFormElement>, onCancel: () => void): void {
  const { key, target, ctrlKey, metaKey, defaultPrevented } = event
  // Escape first closes a list of completions.
  if (defaultPrevented) return
  if (key === 'Escape') {
    event.preventDefault()
    onCancel()
  } else if (key === 'Enter' && (ctrlKey || metaKey || target instanceof HTMLSelectElement)) {
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
}
