/** Shows where the service found an error in a query, and suggests a correction. */
import type { JSX } from 'preact'
import { nearestPath } from '../../../common/connection/spelling.ts'
import { visible } from '../../../common/values.ts'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { hrefWith } from '../route.ts'
import { base, client } from '../service/service.ts'
import { check } from './check.ts'
import { faultsOf, type Fault } from './faults.ts'
import { Marked } from './marked.tsx'

interface TroubleProps {
  readonly query: string
  /** The error of the search. */
  readonly error: unknown
  readonly again: () => void
}

export function Trouble({ query, error, again }: TroubleProps): JSX.Element | null {
  const found = useLoaded(async (signal) => faultsOf(query, await check(query, 1, signal)), [query])
  const faults = found.value ?? []
  if (faults.length === 0) return found.loading ? null : <Problem error={error} again={again} />
  return (
    <>
      <h1>This query cannot be answered</h1>
      <Marked query={query} parts={faults} />
      <div role="alert">
        <ul class="faults">
          {faults.map((fault) => (
            <li key={fault.start}>
              {fault.message}{' '}
              <a href={`${base}/docs#error-${fault.errorClass}`} target="_blank" rel="noreferrer">
                About {fault.errorClass}
              </a>
              {fault.missing !== undefined && <Meant query={query} fault={fault} path={fault.missing} />}
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

/** Offers the query with the most similar existing tag. */
function Meant({ query, fault, path }: { query: string; fault: Fault; path: string }): JSX.Element | null {
  const meant = useLoaded((signal) => nearestPath(client(), path, signal), [path]).value
  if (meant === undefined) return null
  const corrected = query.slice(0, fault.start) + meant + query.slice(fault.end)
  return (
    <p>
      Did you mean <a href={hrefWith({ query: corrected })}>{visible(meant)}</a>?
    </p>
  )
}
