/** The page of a namespace: its description, content and permissions. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { Permissions } from '../permissions/permissions.tsx'
import { permissionChanges, type Kind, type PolicyOwner } from '../permissions/policies.ts'
import { route } from '../route.ts'
import { fetchLevel } from '../tree/levels.ts'
import type { Level } from '../tree/rows.ts'
import { treeChanges } from '../tree/state.ts'
import { Contents } from './contents.tsx'
import { Create } from './create.tsx'
import { Delete } from './delete.tsx'
import { Description } from './description.tsx'
import { Head } from './head.tsx'
import { ItsObject } from './its-object.tsx'
import { fetchRights, fetchThing, mayOf, type Rights, type Thing } from './thing.ts'

export default function Namespace(): JSX.Element {
  const path = route.value.at.join('/')
  // The key resets all state for another namespace.
  return <Page key={path} place={{ path, kind: 'namespace' }} />
}

function Page({ place }: { place: PolicyOwner }): JSX.Element {
  const { path } = place
  const level = useLoaded((signal) => fetchLevel(path, signal), [treeChanges.value])
  const rights = useLoaded((signal) => fetchRights(place, signal), [permissionChanges.value]).value
  if (level.error !== undefined) return <Problem error={level.error} again={level.again} />
  return (
    <>
      <Actions place={place} level={level.value} rights={rights} />
      {route.value.params.get('show') === 'permissions' ? (
        <Permissions place={place} />
      ) : (
        <Overview place={place} level={level.value} rights={rights} />
      )}
    </>
  )
}

interface PartProps {
  readonly place: PolicyOwner
  readonly level: Level | undefined
  readonly rights: Rights | undefined
}

function Overview({ place, level, rights }: PartProps): JSX.Element {
  const thing = useLoaded((signal) => fetchThing(place, signal), [])
  return (
    <>
      {thing.error !== undefined && <Problem error={thing.error} again={thing.again} />}
      {thing.value !== undefined && (
        <>
          <Description
            place={place}
            text={thing.value.description}
            may={mayOf(rights, 'namespaces/update')}
            onChanged={thing.again}
          />
          <Facts thing={thing.value} />
        </>
      )}
      <h2>What is in it</h2>
      {level === undefined ? <p class="waiting">Loading …</p> : <Contents path={place.path} level={level} />}
    </>
  )
}

const Facts = ({ thing: { id } }: { thing: Thing }): JSX.Element => (
  <dl class="facts">
    <ItsObject id={id} />
  </dl>
)

/** The head with its buttons. */
function Actions({ place, level, rights }: PartProps): JSX.Element {
  const [creating, setCreating] = useState<Kind | undefined>()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <Head place={place} first="Contents">
        {mayOf(rights, 'namespaces/create') && (
          <>
            <button type="button" onClick={() => setCreating('namespace')}>
              New namespace
            </button>
            <button type="button" onClick={() => setCreating('tag')}>
              New tag
            </button>
          </>
        )}
        {mayOf(rights, 'namespaces/delete') && level !== undefined && (
          <button type="button" class="danger" onClick={() => setDeleting(true)}>
            Delete …
          </button>
        )}
      </Head>
      {creating !== undefined && (
        <Create kind={creating} parent={place.path} onClose={() => setCreating(undefined)} />
      )}
      {isDeleting && level !== undefined && (
        <Delete place={place} loses={losesOf(level)} onClose={() => setDeleting(false)} />
      )}
    </>
  )
}

/** The service deletes only empty namespaces. */
function losesOf({ namespaces, tags }: Level): string {
  const inside = namespaces.length + tags.length
  if (inside === 0) return 'This namespace is empty, and goes alone.'
  const many = inside === 1 ? 'is something' : `are ${inside.toLocaleString('en')} namespaces and tags`
  return `There ${many} in this namespace: delete that first, or the service will refuse.`
}
