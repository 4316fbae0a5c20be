/** Tests the first rows, and starts the import. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Row } from '../../../common/importing/fields.ts'
import { mappingText, type Mapping } from '../../../common/importing/mapping.ts'
import type { Objects } from '../../../common/importing/objects.ts'
import { isUndecided } from '../../../common/importing/repeats.ts'
import type { Sample } from '../../../common/importing/sampling.ts'
import { visible } from '../../../common/values.ts'
import { many } from '../parts/tag-input.tsx'
import { Flaw } from './flaw.tsx'
import { begin } from './run.ts'
import { FIRST, tryRows, type Trial } from './trial.ts'

interface SendProps {
  readonly file: File
  readonly sample: Sample
  readonly mapping: Mapping
  /** Undefined while the page counts them. */
  readonly objects: Objects | undefined
  readonly isReady: boolean
}

/** The result of a test of one mapping. */
interface Tried {
  readonly text: string
  readonly file: File
  readonly trial?: Trial
  readonly error?: unknown
}

export function Send({ file, sample, mapping, objects, isReady: isMended }: SendProps): JSX.Element {
  const rows = sample.rows.slice(0, FIRST)
  const counted = objects !== undefined && isUndecided(objects, mapping) ? undefined : objects
  const isReady = isMended && counted !== undefined
  const { tried, isTrying, tryOut } = useTrial(file, rows, mapping)
  return (
    <section class="send">
      <p class="actions">
        <button
          type="button"
          class="main"
          disabled={!isReady}
          onClick={() => counted && begin(file, mapping, counted)}
        >
          Import {sample.isWhole ? many(sample.rows.length, 'row') : 'all rows'}
        </button>
        <button type="button" disabled={!isReady || isTrying} onClick={tryOut}>
          {rows.length < FIRST ? 'Try it first' : `Try the first ${FIRST} rows`}
        </button>
        <span class="hint">
          {isReady ? 'Trying changes nothing.' : 'Mend what is marked above; then it can be imported.'}
        </span>
      </p>
      <Tries tried={tried} isTrying={isTrying} rows={rows.length} />
    </section>
  )
}

const Tries = ({
  tried,
  isTrying,
  rows,
}: Pick<Trying, 'tried' | 'isTrying'> & { rows: number }): JSX.Element => (
  <div aria-live="polite">
    {isTrying && <p class="waiting">Trying {many(rows, 'row')} …</p>}
    <Flaw error={tried?.error} />
    {tried?.trial && <Outcome trial={tried.trial} />}
  </div>
)

interface Trying {
  readonly tried: Tried | undefined
  readonly isTrying: boolean
  readonly tryOut: () => void
}

/** Hook: returns a function that tests rows, and the result. */
function useTrial(file: File, rows: readonly Row[], mapping: Mapping): Trying {
  const [latest, setLatest] = useState<Tried | undefined>()
  const stop = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const text = mappingText(mapping)
  const tried = latest?.text === text && latest.file === file ? latest : undefined
  const isTrying = tried !== undefined && !('trial' in tried || 'error' in tried)
  const tryOut = (): void => {
    stop.current?.abort()
    const outdated = new AbortController()
    stop.current = outdated
    setLatest({ text, file })
    tryRows(rows, mapping, outdated.signal).then(
      (trial) => outdated.signal.aborted || setLatest({ text, file, trial }),
      (error: unknown) => outdated.signal.aborted || setLatest({ text, file, error }),
    )
  }
  return { tried, isTrying, tryOut }
}

function Outcome({ trial }: { trial: Trial }): JSX.Element {
  const { written, refused, objects, existing, replaced, made, unreadable } = trial
  const values = [...replaced].filter(([, count]) => count > 0)
  return (
    <div class={refused.length === 0 ? 'outcome good' : 'outcome'}>
      <p>
        <strong>
          {many(written, 'row')} would be written
          {refused.length === 0 ? '.' : `, ${refused.length.toLocaleString('en')} refused.`}
        </strong>{' '}
        Nothing has been changed.
      </p>
      <ul>
        <li>
          {many(objects, 'object')},{' '}
          {existing === 0
            ? 'all of them new'
            : `of which ${existing.toLocaleString('en')} ${existing === 1 ? 'is' : 'are'} there already`}
          .
        </li>
        {made.length > 0 && <li>Tags that would be made: {made.map(visible).join(', ')}.</li>}
        <li>
          {values.length === 0
            ? 'No value would be replaced.'
            : `Values that would be replaced: ${values.map(([tag, count]) => `${count.toLocaleString('en')} of ${visible(tag)}`).join(', ')}.`}
        </li>
        {unreadable.length > 0 && (
          <li>You may not read {unreadable.map(visible).join(', ')}, so nobody tells what is there.</li>
        )}
        {refused.slice(0, 5).map(({ row, reason }) => (
          <li key={row.number}>
            Row {row.number}: {visible(reason)}
          </li>
        ))}
      </ul>
    </div>
  )
}
