/** A group in the builder: its parts, their operator, and buttons that change both. */
import type { JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ConditionRow } from './condition-row.tsx'
import { PlaceButtons, type PartPosition } from './place-buttons.tsx'
import { isGroup, NO_OPERAND, type Condition, type Group, type Join, type Part } from './tree.ts'

const MEANINGS: Readonly<Record<Join, string>> = {
  and: 'all of these (and)',
  or: 'any of these (or)',
  except: 'the first without the others (except)',
}

const EMPTY: Condition = { tag: '', operator: '=', operand: NO_OPERAND }

/** The initial group. */
export const emptyGroup = (): Group => ({ join: 'and', parts: [EMPTY] })

interface GroupProps {
  readonly group: Group
  readonly onChange: (group: Group) => void
  /** The position of the group in its parent. */
  readonly place?: PartPosition
}

export function GroupRows({ group, onChange, place }: GroupProps): JSX.Element {
  const { join, parts } = group
  const { rows, adder, add, replace, placeOf } = useParts(group, onChange)
  return (
    <div class="group" role="group" aria-label={`Find ${MEANINGS[join]}`}>
      <div class="head">
        <label>
          <span>Find</span>{' '}
          <select
            value={join}
            onChange={({ currentTarget }) => onChange({ join: currentTarget.value as Join, parts })}
          >
            {Object.entries(MEANINGS).map(([value, meaning]) => (
              <option key={value} value={value}>
                {meaning}
              </option>
            ))}
          </select>
        </label>
        {place && <PlaceButtons place={place} what="group" />}
      </div>
      <ol ref={rows}>
        {parts.map((part, at) => (
          <li key={at}>
            <span class="join">{at === 0 ? '' : join}</span>
            {isGroup(part) ? (
              <GroupRows group={part} onChange={(next) => replace(at, next)} place={placeOf(at)} />
            ) : (
              <ConditionRow condition={part} onChange={(next) => replace(at, next)} place={placeOf(at)} />
            )}
          </li>
        ))}
      </ol>
      <p class="actions">
        <button ref={adder} type="button" onClick={() => add(EMPTY)}>
          Add condition
        </button>
        <button type="button" onClick={() => add(emptyGroup())}>
          Add group
        </button>
      </p>
    </div>
  )
}

/**
 * The functions that change the parts of a group. The focus goes to an added part, and after a removal to the button that
 * adds one.
 */
function useParts({ join, parts }: Group, onChange: (group: Group) => void): Parts {
  const rows = useRef<HTMLOListElement>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const isAdded = useRef(false)
  useLayoutEffect(() => {
    if (isAdded.current) rows.current?.querySelector<HTMLElement>(':scope > li:last-child input')?.focus()
    isAdded.current = false
  }, [parts.length])
  return {
    rows,
    adder,
    add: (part) => {
      isAdded.current = true
      onChange({ join, parts: [...parts, part] })
    },
    replace: (at, part) => onChange({ join, parts: parts.with(at, part) }),
    placeOf: (at) => ({
      at,
      remove: () => {
        onChange({ join, parts: parts.toSpliced(at, 1) })
        adder.current?.focus()
      },
      moveUp: at === 0 ? undefined : () => onChange({ join, parts: movedUp(parts, at) }),
    }),
  }
}

interface Parts {
  readonly rows: RefObject<HTMLOListElement | null>
  readonly adder: RefObject<HTMLButtonElement | null>
  readonly add: (part: Part) => void
  readonly replace: (at: number, part: Part) => void
  readonly placeOf: (at: number) => PartPosition
}

const movedUp = (parts: readonly Part[], at: number): readonly Part[] =>
  parts.map((part, place) => (place === at - 1 ? parts[at] : place === at ? parts[at - 1] : part) ?? part)
