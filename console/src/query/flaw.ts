/** What is wrong with the text in the box by the grammar. */
import { readText } from './reading.ts'
import { faultAt, type Fault } from './spans.ts'
import { caret, helping } from './text.ts'

/** Why a text is no query. */
export interface TextFlaw {
  readonly message: string
  /** What to underline. */
  readonly faults: readonly Fault[]
  /** Whether somebody is still typing what is wrong. */
  readonly isBegun: boolean
}

/** The flaw of a text; undefined for a query, and for none. */
export function flawOf(query: string): TextFlaw | undefined {
  if (query.trim() === '') return undefined
  const reading = readText(query)
  if ('root' in reading) return undefined
  const { offset, message } = reading.flaw
  const faults = faultAt(query, offset)
  const isTyped = helping.value && faults.some(({ end }) => end === caret.value)
  return { message, faults, isBegun: isTyped || faults.length === 0 }
}
