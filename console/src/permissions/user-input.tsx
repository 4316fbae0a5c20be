/** A field for the name of a user, which the browser completes from those whom the service suggests. */
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { client } from '../service/service.ts'

interface UserInputProps {
  readonly label: string
  readonly value: string
  readonly onInput: (name: string) => void
}

/** The field has its label for readers alone: what stands beside it says the same. */
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

/** How long after the last key names are asked for, in milliseconds. */
const PAUSE = 200

function useSuggested(text: string): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    if (text === '') return
    const outdated = new AbortController()
    const timer = setTimeout(() => {
      suggest(text.toLowerCase(), outdated.signal).then(setNames, () => undefined)
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      outdated.abort()
    }
  }, [text])
  return names
}

async function suggest(text: string, signal: AbortSignal): Promise<string[]> {
  const query = { tag: 'service/users/username', text, limit: 8 }
  const { data } = await client().GET('/search/suggest', { params: { query }, signal })
  return (data?.suggestions ?? []).flatMap((one) =>
    'value' in one && typeof one.value === 'string' ? [one.value] : [],
  )
}
