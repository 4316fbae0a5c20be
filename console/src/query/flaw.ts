/** Finds the syntax error in the text of the box. */
import { readText } from './reading.ts'
import { faultAt, type Fault } from './spans.ts'
import { caret, helping } from './text.ts'

/** The reason why a text is not a query. */
export interface TextFlaw {
  readonly message: string
  /** The range to underline. */
  readonly faults: readonly Fault[]
  /** Whether the user may still be typing the faulty part. */
  readonly isBegun: boolean
}

/** The error of a text; undefined for a valid query and for an empty text. */
export function flawOf(query: string): TextFlaw | undefined {
  if (query.trim() === '') return undefined
  const reading = readText(query)
  if ('root' in reading) return undefined
  const { offset, message } = reading.flaw
  const faults = faultAt(query, offset)
  const isTyped = helping.value && faults.some(({ end }) => end === caret.value)
  return { message, faults, isBegun: isTyped || faults.length === 0 }
}
