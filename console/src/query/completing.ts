/** Completes the text in the query box. */
import { signal } from '@preact/signals'
import type { Cell } from '../../../common/values.ts'
import { useChoices, type Choice, type Choosing } from '../parts/choices.tsx'
import { AFTER, useLater } from '../parts/later.ts'
import { many, pathChoice } from '../parts/tag-input.tsx'
import { suggestPaths, suggestValues, type ValueSuggestion } from '../service/suggest.ts'
import { completed, JOINTS, OPERATORS, operatorsFor, wantedAt, type Wanted } from './completion.ts'
import { literal } from './compose.ts'
import { caret, text, write } from './text.ts'

/** Whether the user has requested completions in a place without automatic ones. */
export const forced = signal(false)

const NOTHING: readonly Choice[] = []

/** The completions at the caret. */
export function useCompletion(): Choosing {
  const wanted = wantedAt(text.value, caret.value)
  const isOffered = wanted !== undefined && (forced.value || isOfferedFor(wanted))
  const choices = useLater(
    isOffered ? (outdated) => choicesFor(wanted, outdated) : undefined,
    [JSON.stringify(wanted), isOffered],
    { none: NOTHING, delay: AFTER.suggestions },
  )
  return useChoices(choices, 'Completions', (choice) => {
    if (wanted === undefined) return
    forced.value = false
    const next = completed(text.value, wanted, choice)
    write(next.text, next.caret)
  })
}

/** If any word may follow, completions appear only for a word that the user has begun. */
function isOfferedFor({ kind, typed, from }: Wanted): boolean {
  if (typed !== '') return true
  if (kind === 'value') return true
  return (kind === 'operator' || kind === 'joint') && /\s/.test(text.value.charAt(from - 1))
}

async function choicesFor(wanted: Wanted, outdated: AbortSignal): Promise<readonly Choice[]> {
  const choices = await allFor(wanted, outdated)
  // A complete word needs no completion.
  return choices.length === 1 && choices[0]?.text === wanted.typed ? NOTHING : choices
}

async function allFor(wanted: Wanted, outdated: AbortSignal): Promise<readonly Choice[]> {
  const { typed, kind } = wanted
  if (kind === 'joint') return beginningWith(typed, Object.entries(JOINTS))
  if (kind === 'value') return (await suggestValues(wanted.tag, typed, outdated)).flatMap(valueChoice)
  if (kind === 'operator') {
    const values = await valuesOf(wanted.tag, outdated)
    return beginningWith(
      typed,
      operatorsFor(values).map((operator) => [operator, OPERATORS[operator]]),
    )
  }
  const { found } = await suggestPaths(typed, outdated)
  const paths = found.map(pathChoice)
  return kind === 'path' ? paths : [...beginningWith(typed, [['has', OPERATORS.has]]), ...paths]
}

const beginningWith = (
  typed: string,
  words: readonly (readonly [word: string, note: string])[],
): readonly Choice[] =>
  words.filter(([word]) => word.startsWith(typed.toLowerCase())).map(([word, note]) => ({ text: word, note }))

/** Frequent values of a tag; none if the user may not read it. */
async function valuesOf(tag: string, outdated: AbortSignal): Promise<readonly Cell[]> {
  const suggested = await suggestValues(tag, '', outdated).catch(() => [])
  return suggested.map(({ value }) => value)
}

/** A value in the syntax of a query. */
export function valueChoice({ value, count, exact }: ValueSuggestion): readonly (Choice & { value: Cell })[] {
  const written = literal(value)
  const note = `${exact ? '' : 'at least '}${many(count, 'object')}`
  return written === undefined ? [] : [{ text: written, note, value }]
}
