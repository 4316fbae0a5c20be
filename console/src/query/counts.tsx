/** How many objects the text in the box finds, and each of its conditions. */
import { batch, signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { visible } from '../../../shared/values.ts'
import { useLater } from '../parts/later.ts'
import { user } from '../service/service.ts'
import { checkQuery, countText, sentence, summaryOf, type Checked } from './check.ts'
import { readText } from './reading.ts'
import type { Fault } from './spans.ts'
import { box, text } from './text.ts'

/** Milliseconds after the last key until a query is checked. */
const CHECK_AFTER = 300

/** A text of more octets is checked when somebody wants that, as is any after a check that took more milliseconds. */
const [LONGEST, SLOWEST] = [4096, 2000]

/** So many conditions are shown, besides those that something is wrong with. */
const SHOWN = 12

const checked = signal<Checked | undefined>(undefined)
const isSlow = signal(false)

/** The text that is checked all the same: somebody wanted that, or it has been while nobody knew. */
const wanted = signal<string | undefined>(undefined)

/** The conditions of a query that the service refuses. */
export const refusedIn = (query: string): readonly Fault[] =>
  checked.value?.query === query ? checked.value.conditions.filter(({ error }) => error !== undefined) : []

type Outcome = Checked | { readonly failure: string } | undefined

/** Checks a query, and notes how long that took. */
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
    // One that was given up took at least as long.
    if (performance.now() - from > SLOWEST) isSlow.value = true
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

/** What is known of a query, a moment after the last key. */
function useOutcome(query: string): {
  readonly outcome: Outcome
  /** Checks it all the same, if it is not checked by itself. */
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
    // The button is about to go, and the focus with it.
    box.current?.focus()
    wanted.value = query
  }
  return { outcome, count: isQuery && isOff ? count : undefined }
}

/** The counts, or a button for them where they take long. */
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

/** Each condition with its count, or with what is wrong with it. */
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
