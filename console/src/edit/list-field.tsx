/**
 * A list of strings with a row for each item. In a row, Enter adds one below, Alt with an arrow moves it, Backspace
 * removes an empty one.
 */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { withBreaksOf, type FieldProps } from './draft.ts'

interface Editing {
  readonly items: readonly string[]
  /** Receives the new items, and the row that then has the focus. */
  readonly edit: (items: readonly string[], focused?: number) => void
}

export function ListField({ draft, onDraft }: FieldProps): JSX.Element {
  const { items } = draft
  const rows = useRef<HTMLOListElement>(null)
  const focused = useRef<number | undefined>(undefined)
  // The focus moves before the paint, because the next key may come earlier and must go to the new row.
  useLayoutEffect(() => {
    if (focused.current === undefined) return
    const field = rows.current?.querySelectorAll('textarea')[focused.current]
    if (field === undefined) document.querySelector<HTMLElement>('.add-item')?.focus()
    else field.focus()
    focused.current = undefined
  }, [items])
  const edit: Editing['edit'] = (changed, focus) => {
    focused.current = focus
    onDraft({ ...draft, items: changed })
  }
  return (
    <fieldset class="value-items">
      <legend>Items</legend>
      <ol ref={rows}>
        {items.map((_, at) => (
          <Row items={items} edit={edit} at={at} />
        ))}
      </ol>
      <button
        type="button"
        class="add-item"
        onClick={() => {
          edit([...items, ''], items.length)
        }}
      >
        Add an item
      </button>
    </fieldset>
  )
}

function Row({ items, edit, at }: Editing & { at: number }): JSX.Element {
  const item = items[at] ?? ''
  const move = (to: number): void => {
    if (to >= 0 && to < items.length) edit(items.toSpliced(at, 1).toSpliced(to, 0, item), to)
  }
  const remove = (): void => {
    edit(items.toSpliced(at, 1), Math.max(0, at - 1))
  }
  const keys: Readonly<Record<string, () => void>> = {
    Enter: () => edit(items.toSpliced(at + 1, 0, ''), at + 1),
    'Alt+ArrowUp': () => move(at - 1),
    'Alt+ArrowDown': () => move(at + 1),
    ...(item === '' && { Backspace: remove }),
  }
  const button = (sign: string, does: string, run: () => void, disabled = false): JSX.Element => (
    <button type="button" aria-label={does} title={does} disabled={disabled} onClick={run}>
      {sign}
    </button>
  )
  const name = `item ${at + 1}`
  return (
    <li>
      <textarea
        rows={1}
        aria-label={`Item ${at + 1}`}
        value={item}
        onInput={(event) => edit(items.with(at, withBreaksOf(item, event.currentTarget.value)))}
        onKeyDown={(event) => {
          const run = keys[shortcutOf(event)]
          if (run === undefined) return
          event.preventDefault()
          run()
        }}
      />
      {button('↑', `Move ${name} up`, () => move(at - 1), at === 0)}
      {button('↓', `Move ${name} down`, () => move(at + 1), at === items.length - 1)}
      {button('×', `Remove ${name}`, remove)}
    </li>
  )
}

/** Enter with Ctrl or Shift has other meanings: save, or insert a line break. */
const shortcutOf = ({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string =>
  ctrlKey || metaKey || shiftKey ? '' : altKey ? `Alt+${key}` : key
