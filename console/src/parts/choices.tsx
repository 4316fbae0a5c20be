/** A list of choices below a field that keeps the focus: arrow keys move, Enter and Tab choose, Escape closes. */
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { visible } from '../../../common/values.ts'
import './choices.css'

/** A choice. */
export interface Choice {
  readonly text: string
  /** A note about it, such as the number of its values. */
  readonly note: string
  /** Whether it is a prefix of further choices. */
  readonly isBeginning?: boolean
}

/** The choices for a field. */
export interface Choosing {
  /** Whether the list is visible. */
  readonly open: boolean
  /** The ARIA attributes of the field; some fields also need `aria-expanded`. */
  readonly field: {
    readonly 'aria-autocomplete': 'list'
    readonly 'aria-controls': string | undefined
    readonly 'aria-activedescendant': string | undefined
  }
  /** Handles a key for the list; returns whether the list used it. */
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly list: JSX.Element | null
}

/** Keeps the list for the current choices, and passes a chosen one to `onPick`. */
export function useChoices<C extends Choice>(
  choices: readonly C[],
  label: string,
  onPick: (choice: C) => void,
): Choosing {
  const id = useId()
  // The state belongs to the choices for which it was set, so that new ones begin without a selection.
  const [{ of, active, closed }, setState] = useState({ of: choices, active: -1, closed: false })
  const isCurrent = of === choices
  const chosen = isCurrent ? active : -1
  const open = choices.length > 0 && !(isCurrent && closed)
  const pick = (at: number): void => {
    const choice = choices[at]
    setState({ of: choices, active: -1, closed: true })
    if (choice !== undefined) onPick(choice)
  }
  const moves: Readonly<Record<string, () => boolean>> = {
    ArrowDown: () => move(chosen + 1),
    ArrowUp: () => chosen >= 0 && move(chosen - 1),
    Enter: () => chosen >= 0 && done(() => pick(chosen)),
    Tab: () => chosen >= 0 && done(() => pick(chosen)),
    Escape: () => done(() => setState({ of: choices, active: -1, closed: true })),
  }
  const move = (to: number): boolean =>
    done(() => setState({ of: choices, active: to >= choices.length ? 0 : to, closed: false }))
  const onKey = (event: KeyboardEvent): boolean => {
    if (!open || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
    if (moves[event.key]?.() !== true) return false
    // Otherwise the key would also close a dialog around the field.
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const list = <Choices {...{ id, label, choices, chosen, pick }} />
  const field = {
    'aria-autocomplete': 'list' as const,
    'aria-controls': open ? id : undefined,
    'aria-activedescendant': chosen >= 0 ? `${id}-${chosen}` : undefined,
  }
  return { open, field, onKey, list: open ? list : null }
}

function done(act: () => void): true {
  act()
  return true
}

interface ChoicesProps {
  readonly id: string
  readonly label: string
  readonly choices: readonly Choice[]
  readonly chosen: number
  readonly pick: (at: number) => void
}

/** A press on a choice must not move the focus from the field. */
const keepFocus = (event: Event): void => event.preventDefault()

const Choices = ({ id, label, choices, chosen, pick }: ChoicesProps): JSX.Element => (
  <ul
    id={id}
    class="choices"
    role="listbox"
    aria-label={label}
    onPointerDown={keepFocus}
    onMouseDown={keepFocus}
  >
    {choices.map(({ text, note }, at) => (
      <li
        key={text}
        id={`${id}-${at}`}
        role="option"
        aria-selected={at === chosen}
        ref={(element) => {
          if (at === chosen) element?.scrollIntoView({ block: 'nearest' })
        }}
        onClick={() => pick(at)}
      >
        <span class="text">{visible(text)}</span>
        <span class="note">{note}</span>
      </li>
    ))}
  </ul>
)
