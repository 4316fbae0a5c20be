/** Shows a running import and its result. */
import type { JSX } from 'preact'
import { writtenIn, type Mapping } from '../../../common/importing/mapping.ts'
import { repeatsText } from '../../../common/importing/repeats.ts'
import { fileStem } from '../../../common/importing/refusals.ts'
import { visible } from '../../../common/values.ts'
import { saveFile } from '../parts/save-file.ts'
import { many } from '../parts/tag-input.tsx'
import { hrefOf } from '../route.ts'
import { placeIn } from './choices.ts'
import { Flaw } from './flaw.tsx'
import { close } from './open.ts'
import { forget, type Progress, type Run } from './run.ts'

const STATES: Readonly<Record<Progress['state'], string>> = {
  running: 'Importing',
  paused: 'Paused:',
  cancelled: 'Cancelled:',
  done: 'Imported',
  failed: 'Stopped:',
}

export function Running({ run }: { run: Run }): JSX.Element {
  const { state, position, error, waiting } = run.progress.value
  const isOver = run.isOver
  return (
    <section class="running" aria-labelledby="running">
      <div role="status">
        <h2 id="running">
          {STATES[state]} {run.file.name}
        </h2>
      </div>
      {isOver ? <Result run={run} /> : <Bar progress={run.progress.value} />}
      {position.refused > 0 && (
        <p class="actions">
          <span class="flaw">{many(position.refused, 'row')} refused</span>
          <button
            type="button"
            onClick={() => saveFile(run.refused.blob(), `${fileStem(run.file.name)}.refused.csv`)}
          >
            Save the refused rows
          </button>
          <span class="hint">Correct them in that file and import it.</span>
        </p>
      )}
      {waiting !== undefined && !isOver && <p class="remark">Waiting: {waiting}</p>}
      {error !== undefined && <Flaw error={error} />}
      <p class="actions">{isOver ? <After run={run} /> : <Controls run={run} state={state} />}</p>
    </section>
  )
}

function Bar({ progress: { position, total, took } }: { progress: Progress }): JSX.Element {
  const { rows } = position
  const rate = took > 0 ? (rows / took) * 1000 : 0
  const left = total === undefined || rate === 0 ? undefined : Math.ceil(Math.max(0, total - rows) / rate)
  return (
    <>
      <progress
        aria-label="Rows that are written"
        max={1}
        value={total === undefined ? undefined : rows / total}
      />
      <p>
        {rows.toLocaleString('en')}
        {total === undefined ? '' : ` of about ${total.toLocaleString('en')}`} rows
        {rate === 0 ? '' : ` · ${Math.round(rate).toLocaleString('en')} rows/s`}
        {left === undefined ? '' : ` · ${durationOf(left)} left`}
      </p>
      <p class="hint">You may look at other pages meanwhile. Keep this window open.</p>
    </>
  )
}

const durationOf = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`

function Controls({ run, state }: { run: Run; state: Progress['state'] }): JSX.Element {
  return (
    <>
      {state === 'paused' ? (
        <button type="button" class="main" onClick={() => run.resume()}>
          Resume
        </button>
      ) : (
        <button type="button" onClick={() => run.pause()}>
          Pause
        </button>
      )}
      <button type="button" class="danger" onClick={() => run.cancel()}>
        Cancel
      </button>
    </>
  )
}

function Result({ run }: { run: Run }): JSX.Element {
  const { position, took } = run.progress.value
  const { written } = position
  const repeats = repeatsText(run.objects)
  return (
    <>
      <p>
        {repeats !== undefined && `${repeats}: `}
        <strong>{many(written, 'row')} written</strong> in {durationOf(Math.ceil(took / 1000))}.
        {run.progress.value.state === 'cancelled' &&
          ` What was written stays. Importing the file again changes nothing about it, and brings in the rest.`}
      </p>
      {written > 0 && <Links mapping={run.mapping} />}
    </>
  )
}

/** The most columns in the link to the imported objects. */
const SHOWN = 8

function Links({ mapping }: { mapping: Mapping }): JSX.Element | null {
  const tags = writtenIn(mapping).map(({ tag }) => tag)
  const place = placeIn(mapping)
  const [first] = tags
  if (first === undefined) return null
  const column = tags.slice(0, SHOWN)
  return (
    <>
      <p class="actions">
        <a class="button main" href={hrefOf('ask', [], { query: `has ${first}`, column })}>
          Ask for them
        </a>
        {place && (
          <a
            class="button"
            href={hrefOf('ask', [], {
              query: `has ${place.lat} and has ${place.lon}`,
              column,
              show: 'map',
              ...place,
            })}
          >
            See them on the map
          </a>
        )}
      </p>
      <p>Their tags:</p>
      <ul class="tags">
        {tags.map((tag) => (
          <li key={tag}>
            <a href={hrefOf('tag', tag.split('/'))}>{visible(tag)}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

function After({ run }: { run: Run }): JSX.Element {
  return (
    <>
      {run.progress.value.state !== 'done' && (
        <button type="button" onClick={forget}>
          Back to the mapping
        </button>
      )}
      <button
        type="button"
        onClick={() => {
          close()
          forget()
        }}
      >
        Import another file
      </button>
    </>
  )
}
