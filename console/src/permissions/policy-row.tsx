/** One permission: an action, its policy, its exceptions, and the users who then may act. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Action, Permission } from '../../../common/changing/policies.ts'
import { user } from '../service/service.ts'
import { UserInput } from './user-input.tsx'
import { doesOf, flawOf, holders, shownName } from './words.ts'

interface PolicyRowProps {
  readonly action: Action
  readonly permission: Permission
  readonly isChanged: boolean
  readonly onChange: (permission: Permission) => void
}

export function PolicyRow({ action, permission, isChanged, onChange }: PolicyRowProps): JSX.Element {
  const does = doesOf(action)
  const { policy, exceptions } = permission
  const who = holders({ ...action, ...permission }, user.value?.name)
  return (
    <tr role="row" class={isChanged ? 'changed' : ''}>
      <th scope="row" role="rowheader">
        {action.action} <span class="does">{does}</span>
      </th>
      <td role="cell">
        <select
          aria-label={`Policy: ${does}`}
          value={policy}
          onChange={(event) =>
            onChange({ exceptions, policy: event.currentTarget.value as 'open' | 'closed' })
          }
        >
          <option value="open">open</option>
          <option value="closed">closed</option>
        </select>
      </td>
      <td role="cell">
        <Exceptions
          action={action}
          names={exceptions}
          onNames={(names) => onChange({ policy, exceptions: names })}
        />
      </td>
      <td role="cell">{who}</td>
    </tr>
  )
}

interface ExceptionsProps {
  readonly action: Action
  readonly names: readonly string[]
  readonly onNames: (names: readonly string[]) => void
}

function Exceptions({ action, names, onNames }: ExceptionsProps): JSX.Element {
  const does = doesOf(action)
  return (
    <div class="exceptions">
      {names.map((name) => (
        <span class="exception" key={name}>
          {shownName(name)}
          <button
            type="button"
            class="plain"
            aria-label={`Remove ${name}: ${does}`}
            onClick={() => onNames(names.filter((one) => one !== name))}
          >
            ×
          </button>
        </span>
      ))}
      <AddException action={action} names={names} onNames={onNames} />
    </div>
  )
}

function AddException({ action, names, onNames }: ExceptionsProps): JSX.Element {
  const [text, setText] = useState('')
  const [flaw, setFlaw] = useState<string>()
  const add = (event: SubmitEvent): void => {
    event.preventDefault()
    const name = text.trim().toLowerCase()
    const found = flawOf(action, name)
    setFlaw(found)
    if (name === '' || found !== undefined) return
    onNames([...new Set([...names, name])])
    setText('')
  }
  return (
    <form class="add" onSubmit={add}>
      <UserInput label={`Another exception: ${doesOf(action)}`} value={text} onInput={setText} />
      <button type="submit" aria-label={`Add the exception: ${doesOf(action)}`} disabled={text.trim() === ''}>
        Add
      </button>
      {flaw !== undefined && (
        <p class="flaw" role="alert">
          {flaw}
        </p>
      )}
    </form>
  )
}
