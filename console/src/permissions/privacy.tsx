/** One switch: whether all users see it, or only its owner. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { closings, actionName, writeFirst, type Permission } from '../../../common/changing/policies.ts'
import { Problem } from '../parts/problem.tsx'
import { client, user } from '../service/service.ts'
import { tellSaved } from './matrix.tsx'
import { expectStill, noteChanges, SEEING, type PolicyOwner, type Policies } from './policies.ts'
import { doesOf } from './words.ts'

const OPEN: Permission = { policy: 'open', exceptions: [] }

/** Saves at once, with an undo; shows nothing to users without CONTROL. */
export function Privacy({ place, policies }: { place: PolicyOwner; policies: Policies }): JSX.Element | null {
  const [error, setError] = useState<unknown>()
  const action = SEEING[place.kind]
  const before = policies.known.get(actionName(action))
  if (before === undefined) return null
  const isOpen = before.policy === 'open' && before.exceptions.length === 0
  const turn = async (): Promise<void> => {
    const choices = isOpen ? closings(user.value?.name, place.path) : [OPEN]
    const as = client()
    try {
      await expectStill(as, place.path, { action, before })
      const all = choices.map((permission) => ({ ...action, ...permission }))
      const { policy, exceptions } = await writeFirst(as, place.path, all)
      setError(undefined)
      tellSaved(as, place.path, [{ action, before, after: { policy, exceptions } }])
    } catch (reason) {
      setError(reason)
    }
    noteChanges()
  }
  return (
    <>
      <p class="privacy">
        <button
          type="button"
          role="switch"
          aria-checked={isOpen}
          aria-describedby="privacy-hint"
          onClick={() => void turn()}
        >
          <span class="knob" aria-hidden="true" />
          Open to everybody
        </button>
        <span class="hint" id="privacy-hint">
          {isOpen
            ? `On: everybody may ${doesOf(action)}. Off makes it private.`
            : `Off: only some may ${doesOf(action)}. On opens it to everybody.`}
        </span>
      </p>
      {error !== undefined && <Problem error={error} />}
    </>
  )
}
