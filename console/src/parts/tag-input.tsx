/** A field for the path of a tag, with suggestions of visible tags and namespaces. */
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { suggestPaths, type PathSuggestion } from '../service/suggest.ts'
import { useChoices, type Choice } from './choices.tsx'
import { AFTER, useLater } from './later.ts'

interface SuggestingProps<C extends Choice> {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly label: string
  readonly required?: boolean | undefined
  /** The source of suggestions. */
  readonly suggest: (text: string, signal: AbortSignal) => Promise<readonly C[]>
  /** Receives a choice; by default its text becomes that of the field. */
  readonly onPick?: (choice: C) => void
}

const NOTHING: readonly never[] = []

/** A text field with suggestions: a combobox of ARIA 1.2. */
export function Suggesting<C extends Choice>(props: SuggestingProps<C>): JSX.Element {
  const { value, onInput, label, required, suggest, onPick } = props
  const id = useId()
  const [typing, setTyping] = useState(false)
  const choices = useLater<readonly C[]>(typing ? (signal) => suggest(value, signal) : undefined, [value], {
    none: NOTHING,
    delay: AFTER.suggestions,
  })
  const { open, field, onKey, list } = useChoices(choices, label, (choice) => {
    setTyping(choice.isBeginning === true)
    if (onPick) onPick(choice)
    else onInput(choice.text)
  })
  return (
    <div class="with-choices">
      <label for={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        autocomplete="off"

        spellcheck={false}
        aria-expanded={open}
        {...field}
        value={value}
        required={required}
        onInput={(event) => {
          setTyping(true)
          onInput(event.currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (!onKey(event) && event.key === 'ArrowDown') setTyping(true)
        }}
        onBlur={() => setTyping(false)}
      />
      {list}
    </div>
  )
}

interface TagInputProps {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly label: string
  readonly required?: boolean
}

/** A field for the path of a tag. */
export const TagInput = ({ value, onInput, label, required }: TagInputProps): JSX.Element => (
  <Suggesting {...{ value, onInput, label, required }} suggest={tagChoices} />
)

const tagChoices = async (text: string, signal: AbortSignal): Promise<readonly Choice[]> =>
  (await suggestPaths(text, signal)).found.map(pathChoice)

/** A completed namespace ends in a slash, so that suggestions of its content follow. */
export const pathChoice = ({ kind, path, count, exact }: PathSuggestion): Choice =>
  kind === 'tag'
    ? { text: path, note: `${exact ? '' : 'at most '}${many(count, 'value')}` }
    : {
        text: `${path}/`,
        note: `namespace, ${exact ? '' : 'at least '}${many(count, 'entry', 'entries')}`,
        isBeginning: true,
      }

/** A number with its noun. */
export const many = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`
