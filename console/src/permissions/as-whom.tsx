/**
 * Shows what a user may do with a tag or namespace, and why. For the anonymous user it also sends requests that prove it.
 */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { allActions, actionName, type Action } from '../../../common/changing/policies.ts'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { go, hrefWith, route } from '../route.ts'
import { anonymous, client, isRefusal, user } from '../service/service.ts'
import { ANONYMOUS, ANONYMOUS_NAME, explain, type Asker, type Verdict } from './explain.ts'
import { CATEGORIES, type PolicyOwner, type Policies } from './policies.ts'
import { prove, type Proof } from './proof.ts'
import { UserInput } from './user-input.tsx'
import { doesOf, subject } from './words.ts'

/** The argument `as` of the URL names the user; the default is the current one. */
export function AsWhom({ place, policies }: { place: PolicyOwner; policies: Policies }): JSX.Element {
  const me = user.value?.name
  const name = route.value.params.get('as')?.toLowerCase() ?? me ?? ANONYMOUS_NAME
  return (
    <section class="as-whom" aria-labelledby="as-whom-title">
      <h2 id="as-whom-title">What somebody may do</h2>
      <Choice name={name} />
      <Verdicts name={name} place={place} policies={policies} />
    </section>
  )
}

function Choice({ name }: { name: string }): JSX.Element {
  const me = user.value?.name
  const isOther = name !== me && name !== ANONYMOUS_NAME
  const [text, setText] = useState(isOther ? name : '')
  useEffect(() => setText(isOther ? name : ''), [name, isOther])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (text.trim() !== '') go(hrefWith({ as: text.trim() }))
  }
  return (
    <form class="whom" onSubmit={submit}>
      {me !== undefined && (
        <a class="button" href={hrefWith({ as: undefined })} aria-current={name === me ? 'true' : undefined}>
          {me}
        </a>
      )}
      <a
        class="button"
        href={hrefWith({ as: ANONYMOUS_NAME })}
        aria-current={name === ANONYMOUS_NAME ? 'true' : undefined}
      >
        the anonymous user
      </a>
      <UserInput label="Another user" value={text} onInput={setText} />
      <button type="submit" disabled={text.trim() === ''}>
        Show
      </button>
    </form>
  )
}

interface Row {
  readonly action: Action
  readonly verdict: Verdict
  readonly proof: Proof | undefined
}

interface VerdictsProps {
  readonly name: string
  readonly place: PolicyOwner
  readonly policies: Policies
}

function Verdicts({ name, place, policies }: VerdictsProps): JSX.Element {
  const found = useLoaded((signal) => verdicts(name, place, policies, signal), [name, place.path, policies])
  if (found.error !== undefined) {
    return isRefusal(found.error, 'NoSuchObject', 'TNoInstanceOnObject') ? (
      <p role="alert">There is no user {name}.</p>
    ) : (
      <Problem error={found.error} again={found.again} />
    )
  }
  if (found.value === undefined) return <p class="waiting">Finding out …</p>
  const { asker, rows } = found.value
  return (
    <ul class="verdicts" aria-label={`What ${name} may do`}>
      {rows.map((row) => (
        <VerdictRow key={actionName(row.action)} asker={asker} row={row} />
      ))}
    </ul>
  )
}

function VerdictRow({ asker, row: { action, verdict, proof } }: { asker: Asker; row: Row }): JSX.Element {
  const { may, reason } = verdict
  const answer = may === undefined ? 'unknown' : may ? 'yes' : 'no'
  const verb = may === false ? 'may not' : may === true ? 'may' : 'may perhaps'
  return (
    <li>
      <span class={`answer ${answer}`}>{answer}</span>
      <span>
        {subject(asker, user.value?.name)} {verb} {doesOf(action)}: {reason}.
        {proof && (
          <span class="proof">
            <code>{proof.request}</code> is answered with {proof.status} {proof.errorClass ?? 'OK'}
          </span>
        )}
      </span>
    </li>
  )
}

/** Verdicts on all actions. Throws a `ServiceError` if the user does not exist. */
async function verdicts(
  name: string,
  { path, kind }: PolicyOwner,
  { known }: Policies,
  signal: AbortSignal,
): Promise<{ asker: Asker; rows: readonly Row[] }> {
  const asker = await askerOf(name, signal)
  const as = asker.name === undefined ? anonymous : asker.name === user.peek()?.name ? client() : undefined
  const rows = allActions({ categories: CATEGORIES[kind] }).map(async (action): Promise<Row> => {
    const verdict = explain(asker, path, action, known.get(actionName(action)))
    // Without CONTROL the rule may be unknown, but the answer of the service tells.
    const isNeeded = asker.name === undefined || verdict.may === undefined
    const proof = as && isNeeded ? await prove(as, path, action, signal) : undefined
    return { action, proof, verdict: proof === undefined ? verdict : proven(verdict, proof) }
  })
  return { asker, rows: await Promise.all(rows) }
}

const proven = (verdict: Verdict, { status }: Proof): Verdict =>
  verdict.may === undefined
    ? { may: status < 400, reason: 'the service says so; why is known only to those who control it' }
    : verdict

async function askerOf(name: string, signal: AbortSignal): Promise<Asker> {
  if (name === ANONYMOUS_NAME) return ANONYMOUS
  const { data: role } = await client().GET('/about/{about_value}/{tag_path}', {
    params: { path: { about_value: `@${name}`, tag_path: 'service/users/role' } },
    signal,
  })
  return { name, isSuperuser: role === 'superuser' }
}
