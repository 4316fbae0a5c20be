/** Saves a value, reports it with an undo, and handles a conflict with another user. */
import { useState } from 'preact/hooks'
import { cellText, visible } from '../../../common/values.ts'
import { notify } from '../parts/notices.tsx'
import { isRefusal } from '../service/service.ts'
import { cellOfContent, type Content } from './content.ts'
import { change, changes, readStored, type ValueAddress, type Stored } from './stored.ts'

/** Two versions; undefined means no value. */
export interface Versions {
  readonly theirs: Stored | undefined
  readonly mine: Content | undefined
}

/** The state of saving. */
export interface Saving {
  readonly busy: boolean
  readonly error: unknown
  /** Another user has changed the value meanwhile. */
  readonly conflict: Versions | undefined
  /** Writes `after`, or deletes the value if that is undefined, if the value is still `before`. */
  readonly save: (
    place: ValueAddress,
    before: Stored | undefined,
    after: Content | undefined,
  ) => Promise<void>
  /** Shows both versions, or with undefined neither. */
  readonly compare: (conflict: Versions | undefined) => void
  readonly fail: (error: unknown) => void
}

type State = Pick<Saving, 'busy' | 'error' | 'conflict'>

const IDLE: State = { busy: false, error: undefined, conflict: undefined }

/** Hook: saves, and calls `onSaved` afterwards. */
export function useSaving(onSaved: () => void): Saving {
  const [state, setState] = useState(IDLE)
  const fail = (error: unknown): void => {
    setState({ ...IDLE, error })
  }
  const compare: Saving['compare'] = (conflict) => {
    setState({ ...IDLE, conflict })
    // Other parts of the page still show the old value.
    if (conflict !== undefined) changes.value += 1
  }
  const save: Saving['save'] = async (place, before, after) => {
    setState({ ...IDLE, busy: true })
    try {
      const undo = await change(place, before, after)
      setState(IDLE)
      notify(said(place, after), undo && undoing(place, undo))
      onSaved()
    } catch (error) {
      if (!isRefusal(error, 'TPreconditionFailed')) fail(error)
      else
        await readStored(place).then((theirs) => {
          compare({ theirs, mine: after })
        }, fail)
    }
  }
  return { ...state, save, compare, fail }
}

/** The most characters of a value in a notice. */
const LONGEST = 40

/** A short text for a value. */
export function brief(content: Content | undefined): string {
  if (content === undefined) return 'no value'
  // The beginning of a long text is enough.
  const text = [...visible(cellText(cellOfContent(content)).slice(0, 4 * LONGEST))]
  if (text.length === 0) return 'an empty string'
  return text.length > LONGEST ? `${text.slice(0, LONGEST).join('')}…` : text.join('')
}

const said = ({ tag }: ValueAddress, content: Content | undefined): string =>
  content === undefined ? `Deleted ${tag}` : `Saved ${tag}: ${brief(content)}`

const undoing =
  ({ tag }: ValueAddress, undo: () => Promise<void>) =>
  (): void => {
    undo().then(
      () => {
        notify(`Undone: ${tag} is as it was`)
      },
      (error: unknown) => {
        const changed = isRefusal(error, 'TPreconditionFailed')
        const why = changed ? 'somebody has changed it since' : (error as Error).message
        notify(`${tag} is not as it was: ${why}`)
      },
    )
  }
