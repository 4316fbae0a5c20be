/** Shows the content of a namespace: namespaces and tags with their descriptions. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../../../common/values.ts'
import { useLoaded } from '../parts/loaded.ts'
import type { PolicyOwner } from '../permissions/policies.ts'
import { Lock } from '../parts/lock.tsx'
import { hrefOf } from '../route.ts'
import type { PathSuggestion } from '../service/suggest.ts'
import { rowKey, baseName, type Level } from '../tree/rows.ts'
import { fetchDetails, type Details } from './thing.ts'

/** The number of entries at first, and the number that each click adds. */
const PORTION = 120

export function Contents({ path, level }: { path: string; level: Level }): JSX.Element {
  const [shown, setShown] = useState(PORTION)
  const all: PolicyOwner[] = [
    ...level.namespaces.map((one) => ({ kind: 'namespace' as const, path: one })),
    ...level.tags.map((one) => ({ kind: 'tag' as const, path: one })),
  ]
  const places = all.slice(0, shown)
  const details = useLoaded((signal) => fetchDetails(path, places, signal), [path, level, shown])
  if (all.length === 0) {
    return <p>{level.listed ? 'This namespace is empty.' : 'There is nothing in it that you may see.'}</p>
  }
  return (
    <>
      {!level.listed && (
        <p class="hint partly">
          You may not list this namespace. Of what is in it, this is what you may see.
        </p>
      )}
      <div class="scroll" role="region" aria-label={`What is in ${path}`} tabIndex={0}>
        <table class="contents">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="count">
                How many
              </th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {places.map((place) => (
              <Entry
                key={rowKey(place.kind, place.path)}
                place={place}
                level={level}
                details={details.value}
              />
            ))}
          </tbody>
        </table>
      </div>
      {all.length > shown && (
        <button type="button" onClick={() => setShown(shown + PORTION)}>
          Show more: {(all.length - shown).toLocaleString('en')} are left
        </button>
      )}
    </>
  )
}

interface EntryProps {
  readonly place: PolicyOwner
  readonly level: Level
  readonly details: Details | undefined
}

function Entry({ place: { kind, path }, level, details }: EntryProps): JSX.Element {
  const key = rowKey(kind, path)
  return (
    <tr>
      <th scope="row">
        <span class={`mark of-${kind}`} aria-hidden="true" />
        <a href={hrefOf(kind, path.split('/'))}>{baseName(path)}</a>
        <span class="hidden"> {kind}</span> {level.locked.has(key) && <Lock />}
      </th>
      <td class="count">{countOf(details?.counts.get(key))}</td>
      <td class="text">{visible(details?.descriptions.get(key) ?? '')}</td>
    </tr>
  )
}

function countOf(found: PathSuggestion | undefined): string {
  if (found === undefined) return ''
  const { kind, count, exact } = found
  const many = count.toLocaleString('en')
  if (kind === 'namespace') return `${many}${exact ? '' : ' or more'} in it`
  return `${exact ? '' : 'up to '}${many} ${count === 1 ? 'value' : 'values'}`
}
