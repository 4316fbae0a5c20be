/** A dialog that sets a tag on all objects that a query matches, or deletes the tag from them. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { findPath } from '../../../src/model/paths.ts'
import { objects } from '../../../common/changing/change.ts'
import { LOOKS, READERS, type Type } from '../../../common/changing/written-values.ts'
import { toJson } from '../../../packages/client/json.ts'
import { cellText, visible, type Cell } from '../../../common/values.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { notify } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { short } from '../parts/short.ts'
import { TagInput } from '../parts/tag-input.tsx'
import './change-many.css'
import { Forecast } from './forecast.tsx'
import { differ, foresee, make, takeBack, type Before, type Change } from './plan.ts'

interface ChangeManyProps {
  readonly query: string
  readonly count: number
  readonly onClose: (changed: boolean) => void
}

export default function ChangeMany({ query, count, onClose }: ChangeManyProps): JSX.Element {
  const [kind, setKind] = useState<'set' | 'delete'>('set')
  const [tag, setTag] = useState('')
  const [type, setType] = useState<Type>('string')
  const [text, setText] = useState('')
  const change = changeOf({ query, kind, tag, type, text })
  const flaw = kind === 'set' && READERS[type](text) === undefined && text !== '' ? LOOKS[type] : undefined
  return (
    <Dialog title={`Change all ${objects(count)}`} onClose={() => onClose(false)}>
      <div class="change-many">
        <p class="hint">
          They match <code>{visible(query)}</code>
        </p>
        <fieldset class="actions">
          <legend class="hidden">What to do</legend>
          {(['set', 'delete'] as const).map((one) => (
            <label key={one} class="choice">
              <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
              {one === 'set' ? 'Set a tag' : 'Take a tag off'}
            </label>
          ))}
        </fieldset>
        <TagInput label="Tag" value={tag} onInput={setTag} required />
        {kind === 'set' && <ValueFields {...{ type, setType, text, setText, flaw }} />}
        {change === undefined ? (
          <p class="hint">
            What would be changed is shown here once the tag{kind === 'set' && ' and the value'} are there.
          </p>
        ) : (
          <Consider key={changeKey(change)} change={change} onClose={onClose} />
        )}
      </div>
    </Dialog>
  )
}

const TYPES: Readonly<Record<Type, string>> = {
  string: 'string',
  int: 'int',
  float: 'float',
  bool: 'boolean',
  list: 'list of strings',
  null: 'null, which says no more than that the tag is there',
}

interface ValueProps {
  readonly type: Type
  readonly setType: (type: Type) => void
  readonly text: string
  readonly setText: (text: string) => void
  readonly flaw: string | undefined
}

function ValueFields({ type, setType, text, setText, flaw }: ValueProps): JSX.Element {
  const choose = (chosen: Type): void => {
    setType(chosen)
    setText(chosen === 'bool' ? 'true' : '')
  }
  return (
    <div class="value-fields">
      <Field label="Type">
        {(of) => (
          <select {...of} value={type} onChange={(event) => choose(event.currentTarget.value as Type)}>
            {Object.entries(TYPES).map(([one, name]) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {type === 'bool' && (
        <Field label="Value">
          {(of) => (
            <select {...of} value={text} onChange={(event) => setText(event.currentTarget.value)}>
              <option value="true">true</option>
              <option value="false">false</option>
            </select>
          )}
        </Field>
      )}
      {type !== 'bool' && type !== 'null' && (
        <Field label="Value" flaw={flaw} hint={type === 'list' ? LOOKS.list : ''}>
          {(of) => (
            <input
              {...of}
              value={text}
              spellcheck={false}
              inputMode={type === 'int' ? 'numeric' : type === 'float' ? 'decimal' : 'text'}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
    </div>
  )
}

interface Form {
  readonly query: string
  readonly kind: 'set' | 'delete'
  readonly tag: string
  readonly type: Type
  readonly text: string
}

/** The change in the fields; undefined while they are incomplete. */
function changeOf({ query, kind, tag, type, text }: Form): Change | undefined {
  const path = findPath(tag.trim(), 2)
  if (path === undefined) return undefined
  if (kind === 'delete') return { query, tag: path, value: undefined }
  const value = text === '' && type !== 'string' && type !== 'null' ? undefined : READERS[type](text)
  return value === undefined ? undefined : { query, tag: path, value }
}

/** Numbers and strings with the same text are different changes. */
const changeKey = ({ tag, value }: Change): string => `${tag} ${value === undefined ? '' : toJson(value)}`

/** Milliseconds from the last key to the request for the effects of a change. */
const LOOKS_AFTER = 300

/** Requests the effects of a change, and makes the change. */
function useForecast(
  change: Change,
  onClose: (changed: boolean) => void,
): {
  readonly before: Before | undefined
  readonly error: unknown
  readonly busy: boolean
  /** Whether other changes have occurred since the effects appeared. */
  readonly isOutdated: boolean
  readonly go: (seen: Before) => Promise<void>
} {
  const [before, setBefore] = useState<Before | undefined>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [isOutdated, setIsOutdated] = useState(false)
  useEffect(() => {
    const outdated = new AbortController()
    const timer = setTimeout(() => {
      foresee(change, outdated.signal).then(
        (found) => outdated.signal.aborted || setBefore(found),
        (reason: unknown) => outdated.signal.aborted || setError(reason),
      )
    }, LOOKS_AFTER)
    return () => {
      clearTimeout(timer)
      outdated.abort()
    }
  }, [])
  const go = async (seen: Before): Promise<void> => {
    setBusy(true)
    try {
      const now = await foresee(change, new AbortController().signal)
      if (!differ(seen, now)) {
        await make(change, now)
        say(change, now)
        onClose(true)
        return
      }
      setBefore(now)
      setIsOutdated(true)
    } catch (reason) {
      setError(reason)
    }
    setBusy(false)
  }
  return { before, error, busy, isOutdated, go }
}

/** Shows the effects of a change, and the button that makes it. */
function Consider({ change, onClose }: { change: Change; onClose: (changed: boolean) => void }): JSX.Element {
  const { before, error, busy, isOutdated, go } = useForecast(change, onClose)
  return (
    <div aria-live="polite" class="considered">
      {error !== undefined && <Problem error={error} />}
      {error === undefined && before === undefined && <p class="waiting">Looking at what this would do …</p>}
      {isOutdated && <p class="warned">It has changed meanwhile, so nothing was written: look again.</p>}
      {before !== undefined && <Forecast change={change} before={before} />}
      {before !== undefined && before.count > 0 && (
        <p class="actions">
          <button
            type="button"
            class={before.undo === undefined ? 'danger' : 'main'}
            disabled={busy}
            onClick={() => void go(before)}
          >
            {busy ? 'Changing …' : questionOf(change, before)}
          </button>
        </p>
      )}
    </div>
  )
}

const questionOf = ({ tag, value }: Change, { count }: Before): string =>
  value === undefined
    ? `Take ${tag} off ${objects(count)}`
    : `Set ${tag} = ${short(visible(cellText(value)), LONGEST)} on ${objects(count)}`

const LONGEST = 30

/** Reports the change, with a button that undoes it if the console can undo it exactly. */
function say(change: Change, { count, undo }: Before): void {
  const { tag } = change
  const cell: Cell = change.value
  if (cell === undefined) {
    notify(`${tag} is off ${objects(count)}`)
    return
  }
  const back = async (exact: string): Promise<void> => {
    try {
      const done = await takeBack(exact, change, count)
      notify(
        done
          ? `${tag} is off ${objects(count)} again`
          : `Other values of ${tag} were changed meanwhile, so nothing was undone`,
      )
    } catch (error) {
      notify(`Nothing was undone: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  notify(`${tag} is set on ${objects(count)}`, undo === undefined ? undefined : () => void back(undo))
}
