/** Lists earlier queries, and moves through them with Alt and the arrow keys. */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { visible } from '../../../common/values.ts'
import { onOtherUser } from '../parts/other-user.ts'
import { forget, remembered } from './history.ts'
import { box, text, write } from './text.ts'

/** The earlier query in the box, and the text before it. */
let at = -1
let draft = ''

onOtherUser(() => {
  at = -1
  draft = ''
})

/** Puts the previous or next query into the box. */
export function stepThroughPast(event: KeyboardEvent): boolean {
  const step = event.altKey ? { ArrowUp: 1, ArrowDown: -1 }[event.key] : undefined
  if (step === undefined) return false
  event.preventDefault()
  const queries = remembered()
  if (queries[at] !== text.value) {
    // A later edit becomes the end of the list.
    draft = text.value
    at = queries[0] === draft ? 0 : -1
  }
  const to = at + step
  if (to < -1 || to >= queries.length) return true
  at = to
  write(queries[to] ?? draft)
  return true
}

/** A button that opens the list. */
export function Past(): JSX.Element {
  const [queries, setQueries] = useState<readonly string[]>()
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => setQueries(undefined)
  const clear = (): void => {
    forget()
    setQueries([])
    button.current?.focus()
  }
  return (
    <div
      class="past"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || queries === undefined) return
        close()
        button.current?.focus()
      }}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) close()
      }}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={queries !== undefined}
        onClick={() => setQueries(queries === undefined ? remembered() : undefined)}
      >
        History
      </button>
      {queries && <Queries queries={queries} onPick={close} onClear={clear} />}
    </div>
  )
}

interface QueriesProps {
  readonly queries: readonly string[]
  readonly onPick: () => void
  readonly onClear: () => void
}

function Queries({ queries, onPick, onClear }: QueriesProps): JSX.Element {
  const pick = (query: string): void => {
    box.current?.focus()
    write(query)
    onPick()
  }
  if (queries.length === 0) {
    return (
      <div class="help">
        <p class="hint">What you ask is kept here, in this browser.</p>
      </div>
    )
  }
  return (
    <div class="help">
      <ul>
        {queries.map((query) => (
          <li key={query}>
            <button type="button" class="plain" onClick={() => pick(query)}>
              <code>{visible(query)}</code>
            </button>
          </li>
        ))}
      </ul>
      <p>
        <button type="button" onClick={onClear}>
          Clear
        </button>
      </p>
    </div>
  )
}
