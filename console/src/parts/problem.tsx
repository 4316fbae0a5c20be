/** Shows an error: what happened, what the user can do, and a link to the reference. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { base, user } from '../service/service.ts'
import { openDialog } from './dialogs.ts'
import { failureOf, type Failure } from './failure.ts'

interface ProblemProps {
  readonly error: unknown
  /** Retries. */
  readonly again?: (() => void) | undefined
  /** Whether to offer a sign-in; not inside the sign-in form. */
  readonly signIn?: boolean
}

export function Problem({ error, again, signIn = true }: ProblemProps): JSX.Element {
  const failure = failureOf(error)
  const { what, remedy, errorClass } = failure
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{what}</strong> {remedy}
      </p>
      <p class="actions">
        <Cure key={error} failure={failure} again={again} signIn={signIn} />
        {errorClass && <About errorClass={errorClass} />}
      </p>
    </div>
  )
}

/**
 * A link into the reference, which has an entry for each class. The class without a name in answers is part of the
 * section on signing in.
 */
function About({ errorClass }: { errorClass: string }): JSX.Element {
  const [anchor, name] =
    errorClass === 'WrongCredentials' ? ['who-is-asking', 'signing in'] : [`error-${errorClass}`, errorClass]
  return (
    <a href={`${base}/docs#${anchor}`} target="_blank" rel="noreferrer">
      About {name}
    </a>
  )
}

type CureProps = Omit<ProblemProps, 'error'> & { readonly failure: Failure }

function Cure({ failure: { cure, wait }, again, signIn }: CureProps): JSX.Element | null {
  switch (cure) {
    case 'sign-in':
      return signIn ? (
        <button type="button" onClick={() => openDialog('sign-in')}>
          {user.value === undefined ? 'Sign in' : 'Sign in as somebody else'}
        </button>
      ) : null
    case 'query':
      return (
        <button type="button" onClick={focusQuery}>
          Go to the query
        </button>
      )
    case 'reload':
      return (
        <button type="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      )
    default:
      return <Again again={again} wait={wait} />
  }
}

/** Retries after the time in the service's answer. Without `again`, it only shows the remaining time. */
function Again({
  again,
  wait = 0,
}: Pick<ProblemProps, 'again'> & Pick<Partial<Failure>, 'wait'>): JSX.Element {
  const [left, setLeft] = useState(wait)
  useEffect(() => {
    if (left <= 0) return undefined
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  if (again === undefined) return <>{left > 0 && <span>Wait {left} s.</span>}</>
  return (
    <button type="button" disabled={left > 0} onClick={again}>
      {left > 0 ? `Try again in ${left} s` : 'Try again'}
    </button>
  )
}

/** Moves the cursor into the query, which is on every page. */
export function focusQuery(): void {
  document.querySelector<HTMLElement>('header .query textarea')?.focus()
}
