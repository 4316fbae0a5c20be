/** Shows the number of objects for the text in the box and for each of its conditions. */
import { batch, signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { visible } from '../../../common/values.ts'
import { useLater } from '../parts/later.ts'
import { user } from '../service/service.ts'
import { checkQuery, countText, sentence, summaryOf, type Checked } from './check.ts'
import { readText } from './reading.ts'
import type { Fault } from './spans.ts'
import { box, text } from './text.ts'

/** Milliseconds from the last key to the check of a query. */
const CHECK_AFTER = 300

/** The console checks a text of more octets only on request, and so it does after a check that took more milliseconds. */
const [LONGEST, SLOWEST] = [4096, 2000]

/** The most conditions in the list, in addition to those with errors. */
const SHOWN = 12

const checked = signal<Checked | undefined>(undefined)
const isSlow = signal(false)

/**
 * The text that the console checks in any case: the user has requested it, or it was checked before its cost was known.
 */
const wanted = signal<string | undefined>(undefined)

/** The conditions of a query that the service refuses. */
export const refusedIn = (query: string): readonly Fault[] =>
  checked.value?.query === query ? checked.value.conditions.filter(({ error }) => error !== undefined) : []

type Outcome = Checked | { readonly failure: string } | undefined

/** Checks a query, and records the duration. */
async function check(query: string, outdated: AbortSignal): Promise<Outcome> {
  const from = performance.now()
  try {
    const found = await checkQuery(query, outdated)
    batch(() => {
      wanted.value = query
      isSlow.value = found.took > SLOWEST
    })
    return found
  } catch (error) {
    // An aborted check took at least as long.
    if (performance.now() - from > SLOWEST) isSlow.value = true
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

/** The result for a query, shortly after the last key. */
function useOutcome(query: string): {
  readonly outcome: Outcome
  /** Checks a query that the console does not check automatically. */
  readonly count: (() => void) | undefined
} {
  const isWanted = wanted.value === query
  const isQuery = query.trim() !== '' && 'root' in readText(query)
  const isOff = !isWanted && (isSlow.value || new Blob([query]).size > LONGEST)
  const outcome = useLater<Outcome>(
    isQuery && !isOff ? (outdated) => check(query, outdated) : undefined,
    [query, user.value?.name],
    { none: undefined, delay: isWanted ? 0 : CHECK_AFTER },
  )
  const count = (): void => {
    // The button will disappear and lose the focus.
    box.current?.focus()
    wanted.value = query
  }
  return { outcome, count: isQuery && isOff ? count : undefined }
}

/** The counts, or a button for them if they take long. */
export function Counts(): JSX.Element | null {
  const query = text.value
  const { outcome, count } = useOutcome(query)
  const found = outcome !== undefined && 'conditions' in outcome ? outcome : undefined
  useEffect(() => {
    checked.value = found
  }, [found])
  if (count !== undefined) {
    return (
      <p class="counts">
        <button type="button" onClick={count}>
          Count
        </button>{' '}
        <span class="hint">Counting this takes a while</span>
      </p>
    )
  }
  if (outcome === undefined) return null
  if ('failure' in outcome) return <p class="counts">Not counted: {outcome.failure}</p>
  return (
    <div class={outcome.query === query ? 'counts' : 'counts outdated'}>
      <p role="status">{outcome.error === undefined ? summaryOf(outcome) : sentence(outcome.error)}</p>
      <Conditions checked={outcome} />
    </div>
  )
}

/** Each condition with its count or error. */
function Conditions({ checked: { conditions, query } }: { readonly checked: Checked }): JSX.Element | null {
  const refused = conditions.filter(({ error }) => error !== undefined)
  if (conditions.length < 2 && refused.length === 0) return null
  const listed = conditions.filter(({ error }, at) => at < SHOWN || error !== undefined)
  return (
    <ul>
      {listed.map(({ start, end, error, ...count }) => (
        <li key={start} class={error === undefined ? undefined : 'refused'}>
          <code>{visible(query.slice(start, end))}</code>
          <span>{error === undefined ? countText(count) : sentence(visible(error))}</span>
        </li>
      ))}
      {listed.length < conditions.length && (
        <li class="hint">and {conditions.length - listed.length} more conditions</li>
      )}
    </ul>
  )
}
