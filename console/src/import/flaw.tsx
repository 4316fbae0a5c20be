/** Shows an error in words. */
import type { JSX } from 'preact'
import { Failure } from '../../../common/failure.ts'
import { Problem } from '../parts/problem.tsx'

/** An error in a file, or an error answer of the service. */
export function Flaw({ error }: { error: unknown }): JSX.Element | null {
  if (error === undefined) return null
  if (!(error instanceof Failure)) return <Problem error={error} />
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{sentence(error.message)}</strong> {sentence(error.remedy)}
      </p>
    </div>
  )
}

/** Makes a sentence of a phrase. */
export const sentence = (phrase: string): string =>
  phrase === '' ? '' : `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}.`
