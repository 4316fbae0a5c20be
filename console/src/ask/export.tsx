/** Exports results as a file, or as a command or program that fetches them. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { copyText } from '../parts/copy.ts'
import { Dialog } from '../parts/dialog.tsx'
import { notify } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { saveFile } from '../parts/save-file.ts'
import { many } from '../parts/tag-input.tsx'
import { fetchPage } from '../service/search.ts'
import { base, user } from '../service/service.ts'
import { CSV, exportAll, NDJSON, type Format } from './export.ts'
import type { RowState } from './rows.ts'
import { SNIPPETS } from './snippets.ts'
import './export.css'

interface ExportProps {
  readonly query: string
  readonly columns: readonly string[]
  readonly sort: string | undefined
  readonly count: RowState['count']
  readonly onClose: () => void
}

export function Export({ onClose, ...search }: ExportProps): JSX.Element {
  return (
    <Dialog title="Export" onClose={onClose}>
      <File {...search} />
      <Program {...search} />
    </Dialog>
  )
}

type Search = Omit<ExportProps, 'onClose'>

/** The file formats. */
const FORMATS: readonly (readonly [name: string, suffix: string, type: string, format: Format])[] = [
  ['CSV', 'csv', 'text/csv', CSV],
  ['NDJSON', 'ndjson', 'application/x-ndjson', NDJSON],
]

function File({ query, columns, sort, count }: Search): JSX.Element {
  const [done, setDone] = useState<number | undefined>()
  const [error, setError] = useState<unknown>()
  const work = useRef<AbortController>(null)
  useEffect(() => () => work.current?.abort(), [])
  const start = async ([name, suffix, type, format]: (typeof FORMATS)[number]): Promise<void> => {
    const { signal } = (work.current = new AbortController())
    setError(undefined)
    setDone(0)
    try {
      const fetch = (asked: object, until: AbortSignal) =>
        fetchPage({ query, columns, sort, ...asked }, until)
      const parts = await exportAll({ columns, format, fetch, onProgress: setDone }, signal)
      saveFile(new Blob(parts, { type }), `objects.${suffix}`)
      notify(`Exported as ${name}`)
    } catch (reason) {
      if (!signal.aborted) setError(reason)
    }
    setDone(undefined)
  }
  return (
    <section>
      <h3>As a file</h3>
      <p class="hint">
        {typeof count === 'number' ? `All ${many(count, 'object')}` : 'All objects'} with the columns of the
        table. Of opaque values it has the type and the size.
      </p>
      {done === undefined ? (
        <p class="actions">
          {FORMATS.map((format) => (
            <button key={format[0]} type="button" onClick={() => void start(format)}>
              {format[0]}
            </button>
          ))}
        </p>
      ) : (
        <Progress
          done={done}
          of={typeof count === 'number' ? count : undefined}
          onCancel={() => work.current?.abort()}
        />
      )}
      {error !== undefined && <Problem error={error} />}
    </section>
  )
}

interface ProgressProps {
  readonly done: number
  readonly of: number | undefined
  readonly onCancel: () => void
}

const Progress = ({ done, of, onCancel }: ProgressProps): JSX.Element => (
  <p class="actions">
    <progress aria-label="Exported" value={of && done} max={of} />
    <span>
      {done.toLocaleString('en')}
      {of !== undefined && ` of ${of.toLocaleString('en')}`}
    </span>
    <button type="button" onClick={onCancel}>
      Cancel
    </button>
  </p>
)

function Program(search: Search): JSX.Element {
  const [chosen, setChosen] = useState('gloss')
  const { says = '', password = '', of } = SNIPPETS[chosen] ?? {}
  const text = of?.({ base, user: user.value?.name, ...search }) ?? ''
  return (
    <section>
      <h3>As a command or a program</h3>
      <label>
        In the language of
        <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          {Object.keys(SNIPPETS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <p class="hint">{user.value === undefined ? says : `${says} ${password}`}</p>
      <pre class="snippet" tabIndex={0} role="region" aria-label={`The search for ${chosen}`}>
        {text}
      </pre>
      <p class="actions">
        <button type="button" onClick={() => void copyText(text, `the search for ${chosen}`)}>
          Copy
        </button>
      </p>
    </section>
  )
}
