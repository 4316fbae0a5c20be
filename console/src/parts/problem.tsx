/** A failure in words: what happened, what to do, and where to read about it. */
import type { JSX } from 'preact'
import { ServiceError } from '../../../packages/client/service-error.ts'
import { base } from '../service/service.ts'

export function Problem({ error, again }: { error: unknown; again?: () => void }): JSX.Element {
  const known = error instanceof ServiceError ? error : undefined
  const errorClass = known?.errorClass ?? (known?.status === 401 ? 'WrongCredentials' : undefined)
  return (
    <div class="problem" role="alert">
      <p>{known === undefined ? `No answer: ${String(error)}` : known.message}</p>
      <p class="actions">
        {again && (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
        {errorClass && (
          <a href={`${base}/docs#error-${errorClass}`} target="_blank" rel="noreferrer">
            About {errorClass}
          </a>
        )}
      </p>
    </div>
  )
}
