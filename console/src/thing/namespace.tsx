/** The page of a namespace: its description, what is in it, and its permissions. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import type { Verdict } from '../permissions/explain.ts'
import { Permissions } from '../permissions/permissions.tsx'
import { permissionChanges, type Kind, type Place } from '../permissions/policies.ts'
import { hrefOf, route } from '../route.ts'
import { fetchLevel, type Level } from '../tree/levels.ts'
import { treeChanges } from '../tree/state.ts'
import { Contents } from './contents.tsx'
import { Create } from './create.tsx'
import { Delete } from './delete.tsx'
import { Description } from './description.tsx'
import { Head } from './head.tsx'
import { fetchRights, fetchThing, type Thing } from './thing.ts'

export default function Namespace(): JSX.Element {
  const path = route.value.at.join('/')
  const place: Place = { path, kind: 'namespace' }
  const level = useLoaded((signal) => fetchLevel(path, signal), [path, treeChanges.value])
  if (level.error !== undefined) return <Problem error={level.error} again={level.again} />
  return (
    <>
      <Actions place={place} level={level.value} />
      {route.value.params.get('show') === 'permissions' ? (
        <Permissions place={place} />
      ) : (
        <Overview place={place} level={level.value} />
      )}
    </>
  )
}

function Overview({ place, level }: { place: Place; level: Level | undefined }): JSX.Element {
  const { path } = place
  const thing = useLoaded((signal) => fetchThing(place, signal), [path])
  const rights = useRights(place)
  return (
    <>
      {thing.error !== undefined && <Problem error={thing.error} again={thing.again} />}
      {thing.value !== undefined && (
        <>
          <Description
            place={place}
            text={thing.value.description}
            may={rights?.get('namespaces/update')?.may}
            onChanged={thing.again}
          />
          <Facts thing={thing.value} />
        </>
      )}
      <h2>What is in it</h2>
      {level === undefined ? <p class="waiting">Loading …</p> : <Contents path={path} level={level} />}
    </>
  )
}

const Facts = ({ thing: { id } }: { thing: Thing }): JSX.Element => (
  <dl class="facts">
    <div>
      <dt>Its object</dt>
      <dd>
        <a class="code" href={hrefOf('object', ['id', id])}>
          {id}
        </a>
      </dd>
    </div>
  </dl>
)

/** What the asker may do with it; undefined until that is known. */
function useRights(place: Place): ReadonlyMap<string, Verdict> | undefined {
  const { path, kind } = place
  return useLoaded((signal) => fetchRights(place, signal), [path, kind, permissionChanges.value]).value
}

/** The head, with what can be done. */
function Actions({ place, level }: { place: Place; level: Level | undefined }): JSX.Element {
  const [creating, setCreating] = useState<Kind | undefined>()
  const [isDeleting, setDeleting] = useState(false)
  const rights = useRights(place)
  const may = (action: string): boolean => rights !== undefined && rights.get(action)?.may !== false
  return (
    <>
      <Head place={place} first="Contents">
        {may('namespaces/create') && (
          <>
            <button type="button" onClick={() => setCreating('namespace')}>
              New namespace
            </button>
            <button type="button" onClick={() => setCreating('tag')}>
              New tag
            </button>
          </>
        )}
        {may('namespaces/delete') && level !== undefined && (
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

/** Only an empty namespace can be deleted. */
function losesOf({ namespaces, tags }: Level): string {
  const inside = namespaces.length + tags.length
  if (inside === 0) return 'This namespace is empty, and goes alone.'
  const many = inside === 1 ? 'something' : `${inside.toLocaleString('en')} namespaces and tags`
  return `There is ${many} in this namespace: delete that first, or the service will refuse.`
}
