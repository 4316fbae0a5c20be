/** The permissions of a tag or namespace: one switch, the matrix, and the permissions of one user. */
import type { JSX } from 'preact'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { user } from '../service/service.ts'
import { AsWhom } from './as-whom.tsx'
import { Lock } from '../parts/lock.tsx'
import { Matrix } from './matrix.tsx'
import { fetchPolicies, permissionChanges, type PolicyOwner, type Policies } from './policies.ts'
import { Privacy } from './privacy.tsx'
import './permissions.css'

export function Permissions({ place }: { place: PolicyOwner }): JSX.Element {
  const { path, kind } = place
  const { value, error, again } = useLoaded(
    (signal) => fetchPolicies(place, signal),
    [path, kind, permissionChanges.value],
  )
  if (error !== undefined) return <Problem error={error} again={again} />
  if (value === undefined) return <p class="waiting">Loading the permissions …</p>
  return (
    <>
      <Withheld policies={value} />
      {value.known.size > 0 && (
        <>
          <Privacy place={place} policies={value} key={path} />
          <Matrix place={place} policies={value} />
        </>
      )}
      <AsWhom place={place} policies={value} />
    </>
  )
}

const WHOSE = {
  'tag-values': 'the values of this tag',
  tags: 'this tag',
  namespaces: 'this namespace',
} as const

/** The categories that the current user does not control and so may not read. */
function Withheld({ policies: { withheld } }: { policies: Policies }): JSX.Element | null {
  if (withheld.length === 0) return null
  const whose = withheld.map((category) => WHOSE[category]).join(' and ')
  return (
    <p class="withheld">
      <Lock label="withheld" />
      {user.value === undefined ? (
        <>Only those who control {whose} see and change these permissions: sign in as one of them.</>
      ) : (
        <>You do not control {whose}, so the service does not tell you these permissions.</>
      )}
    </p>
  )
}
