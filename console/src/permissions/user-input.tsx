/** A field for a user name with the service's suggestions. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { AFTER, useLater } from '../parts/later.ts'
import { suggestValues } from '../service/suggest.ts'

interface UserInputProps {
  readonly label: string
  readonly value: string
  readonly onInput: (name: string) => void
}

/** Only screen readers get the label, because the text beside the field says the same. */
export function UserInput({ label, value, onInput }: UserInputProps): JSX.Element {
  const id = useId()
  const names = useSuggested(value)
  return (
    <>
      <input
        aria-label={label}
        placeholder="user name"
        list={id}
        value={value}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

const NOBODY: readonly string[] = []

const useSuggested = (text: string): readonly string[] =>
  useLater(text === '' ? undefined : (signal) => suggest(text.toLowerCase(), signal), [text], {
    none: NOBODY,
    delay: AFTER.user,
  })

async function suggest(text: string, signal: AbortSignal): Promise<readonly string[]> {
  const found = await suggestValues('service/users/username', text, signal)
  return found.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
}
