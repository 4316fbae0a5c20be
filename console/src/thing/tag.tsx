/** The page of a tag: its description, values and permissions. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLoaded, type Loaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { Permissions } from '../permissions/permissions.tsx'
import { permissionChanges, type PolicyOwner } from '../permissions/policies.ts'
import { hrefOf, route } from '../route.ts'
import type { Facet } from '../service/facet.ts'
import { fetchFacets } from '../service/search.ts'
import { Delete } from './delete.tsx'
import { Description } from './description.tsx'
import { Head } from './head.tsx'
import { ItsObject } from './its-object.tsx'
import { fetchRights, fetchThing, mayOf, type Rights, type Thing } from './thing.ts'
import { Values } from './values.tsx'

/** The number of bars that fit into 320 pixels and are wide enough for a finger. */
const BINS = 10

export default function Tag(): JSX.Element {
  const path = route.value.at.join('/')
  // The key resets all state for another tag.
  return <Page key={path} place={{ path, kind: 'tag' }} />
}

function Page({ place }: { place: PolicyOwner }): JSX.Element {
  const { path } = place
  const thing = useLoaded((signal) => fetchThing(place, signal), [])
  const rights = useLoaded((signal) => fetchRights(place, signal), [permissionChanges.value])
  const isLogarithmic = route.value.params.get('scale') === 'logarithmic'
  const facet = useLoaded(
    (signal) => fetchFacet(path, isLogarithmic, signal),
    [isLogarithmic, permissionChanges.value],
  )
  if (thing.error !== undefined) return <Problem error={thing.error} again={thing.again} />
  return (
    <>
      <Actions place={place} rights={rights.value} facet={facet.value} />
      {route.value.params.get('show') === 'permissions' ? (
        <Permissions place={place} />
      ) : (
        <Overview place={place} thing={thing} rights={rights.value} facet={facet} />
      )}
    </>
  )
}

async function fetchFacet(
  path: string,
  isLogarithmic: boolean,
  signal: AbortSignal,
): Promise<Facet | undefined> {
  const scale = isLogarithmic ? 'logarithmic' : 'linear'
  const asked = { query: `has ${path}`, tags: [path], top: 12, bins: BINS, scale } as const
  return (await fetchFacets(asked, signal)).facets.get(path)
}

interface OverviewProps {
  readonly place: PolicyOwner
  readonly thing: Loaded<Thing | undefined>
  readonly rights: Rights | undefined
  readonly facet: Loaded<Facet | undefined>
}

function Overview({ place, thing, rights, facet }: OverviewProps): JSX.Element {
  const { path } = place
  if (thing.value === undefined) return <p class="waiting">Loading …</p>
  return (
    <>
      <Description
        place={place}
        text={thing.value.description}
        may={mayOf(rights, 'tags/update')}
        onChanged={thing.again}
      />
      <Facts thing={thing.value} facet={facet.value} />
      {facet.error !== undefined ? (
        <Problem error={facet.error} again={facet.again} />
      ) : facet.value === undefined ? (
        <p class="waiting">Counting its values …</p>
      ) : (
        <Values path={path} facet={facet.value} />
      )}
    </>
  )
}

function Facts({ thing: { id, indexed }, facet }: { thing: Thing; facet: Facet | undefined }): JSX.Element {
  const types = Object.entries(facet?.types ?? {}).sort(([, one], [, other]) => other - one)
  return (
    <dl class="facts">
      {facet !== undefined && (
        <div>
          <dt>Objects with it</dt>
          <dd>{facet.objects.toLocaleString('en')}</dd>
        </div>
      )}
      {types.length > 0 && (
        <div>
          <dt>Types</dt>
          <dd>{types.map(([type, count]) => `${type} ${count.toLocaleString('en')}`).join(', ')}</dd>
        </div>
      )}
      <div>
        <dt>Words</dt>
        <dd>
          {indexed === true ? 'indexed: matches finds them' : 'not indexed: matches does not find them'}
        </dd>
      </div>
      <ItsObject id={id} />
    </dl>
  )
}

interface ActionsProps {
  readonly place: PolicyOwner
  readonly rights: Rights | undefined
  readonly facet: Facet | undefined
}

/** The head with its buttons. */
function Actions({ place, rights, facet }: ActionsProps): JSX.Element {
  const [isDeleting, setDeleting] = useState(false)
  const { path } = place
  return (
    <>
      <Head place={place} first="Values">
        <a class="button" href={hrefOf('ask', [], { query: `has ${path}`, column: path })}>
          Ask for this tag
        </a>
        {mayOf(rights, 'tags/delete') && (
          <button type="button" class="danger" onClick={() => setDeleting(true)}>
            Delete …
          </button>
        )}
      </Head>
      {isDeleting && <Delete place={place} loses={losesOf(facet)} onClose={() => setDeleting(false)} />}
    </>
  )
}

function losesOf(facet: Facet | undefined): string {
  if (facet?.objects === 1) return 'With the tag goes its 1 value, whoever wrote it.'
  const many = facet === undefined ? 'all its values' : `its ${facet.objects.toLocaleString('en')} values`
  return `With the tag go ${many}, on every object and whoever wrote them.`
}
