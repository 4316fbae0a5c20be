/** The typing help for queries: colours, completions, errors, and counts. */
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { Choosing } from '../parts/choices.tsx'
import { forced, useCompletion } from './completing.ts'
import { Counts, refusedIn } from './counts.tsx'
import { flawOf } from './flaw.ts'
import { stepThroughPast } from './past.tsx'
import { Slips } from './slips.tsx'
import { spansOf } from './spans.ts'
import { helping, keys, listed, text } from './text.ts'
import './help.css'

export { Past } from './past.tsx'

/** The coloured text, with underlined errors. */
export function Colours(): JSX.Element {
  const query = text.value
  const flaw = flawOf(query)
  const faults = flaw === undefined ? refusedIn(query) : flaw.isBegun ? [] : flaw.faults
  return (
    <>
      {spansOf(query, faults).map((span) => (
        <span class={span.isFault ? `${span.look} fault` : span.look}>{span.text}</span>
      ))}
    </>
  )
}

/** The visible completions. */
let shown: Choosing | undefined

keys.onKey = (event) => shown?.onKey(event) === true || stepThroughPast(event) || opensOrCloses(event)

/** Ctrl with the space bar requests completions; Escape closes the help. */
function opensOrCloses(event: KeyboardEvent): boolean {
  const opens = event.key === ' ' && event.ctrlKey
  const closes = event.key === 'Escape' && helping.value
  if (!opens && !closes) return false
  event.preventDefault()
  forced.value = opens
  helping.value = opens
  return true
}

/** A press here must not move the focus from the text. */
const keepFocus = (event: Event): void => event.preventDefault()

/** The part below the box, while the user types. */
export function Help(): JSX.Element {
  const choosing = useCompletion()
  useLayoutEffect(() => {
    shown = choosing
    listed.id.value = choosing.field['aria-controls']
    listed.active.value = choosing.field['aria-activedescendant']
  })
  useEffect(
    () => () => {
      shown = undefined
      forced.value = false
      listed.id.value = undefined
      listed.active.value = undefined
    },
    [],
  )
  return (
    <div class="help" onPointerDown={keepFocus} onMouseDown={keepFocus}>
      {choosing.list}
      <Slips isQuiet={choosing.open} />
      <Counts />
    </div>
  )
}
