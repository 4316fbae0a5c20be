/** Shows the content of the store, example queries, and the latest changes. */
import type { JSX } from 'preact'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { hrefOf } from '../route.ts'
import { base, user } from '../service/service.ts'
import { Changes } from './changes.tsx'
import { Empty } from './empty.tsx'
import { Examples } from './example-list.tsx'
import { fetchExamples, fetchKnown, fetchTotal } from './looking.ts'
import { totalText } from './numbers.ts'
import { tourOf } from './tour.ts'
import './start.css'

export default function Start(): JSX.Element {
  const known = useLoaded(fetchKnown, [])
  const examples = useLoaded(
    async (signal) => (known.value === undefined ? undefined : fetchExamples(known.value, signal)),
    [known.value],
  )
  const tour = known.value === undefined ? [] : tourOf(known.value.namespaces)
  const error: unknown = known.error ?? examples.error
  return (
    <div class="start">
      <h1>What is here</h1>
      <Totals />
      {error !== undefined && (
        <Problem error={error} again={known.error === undefined ? examples.again : known.again} />
      )}
      {known.value?.tags.length === 0 && <Empty />}
      <div class="parts">
        <div>
          {tour.length > 0 && (
            <section aria-labelledby="tour">
              <h2 id="tour">One world, many hands</h2>
              <p class="hint">
                Several owners put tags on the same objects. Some questions need all of them.
              </p>
              <Examples examples={tour} />
            </section>
          )}
          <section aria-labelledby="examples">
            <h2 id="examples">Queries to begin with</h2>
            {error === undefined && <Examples examples={examples.value} />}
          </section>
        </div>
        <div>
          <Changes />
          <Orientation />
        </div>
      </div>
    </div>
  )
}

const TOTALS = [
  ['users', 'service/users/username', ['service/users/username', 'service/users/name']],
  ['namespaces', 'service/namespaces/path', ['service/namespaces/path', 'service/namespaces/description']],
  ['tags', 'service/tags/path', ['service/tags/path', 'service/tags/description']],
] as const

const Totals = (): JSX.Element => (
  <>
    <ul class="totals">
      {TOTALS.map(([name, tag, columns]) => (
        <Total key={name} name={name} tag={tag} columns={columns} />
      ))}
    </ul>
    <p class="hint">
      Names are for everybody, values for those whom the owner of their tag lets read them. You see what{' '}
      {user.value?.name ?? 'anybody'} may see.
    </p>
  </>
)

interface TotalProps {
  readonly name: string
  readonly tag: string
  readonly columns: readonly string[]
}

function Total({ name, tag, columns }: TotalProps): JSX.Element {
  const total = useLoaded((signal) => fetchTotal(tag, signal), [tag])
  return (
    <li>
      <a href={hrefOf('ask', [], { query: `has ${tag}`, column: columns, sort: tag })}>
        <strong>{total.value ? totalText(total.value) : total.error === undefined ? '…' : '?'}</strong> {name}
      </a>
    </li>
  )
}

const Orientation = (): JSX.Element => (
  <section aria-labelledby="more">
    <h2 id="more">To find your way</h2>
    <ul class="plain-list">
      <li>
        <a href={hrefOf('help')}>What the words and signs mean</a>
      </li>
      <li>
        <a href={hrefOf('recent')}>See recent changes</a>
      </li>
      <li>
        <a href={hrefOf('import')}>Import a table</a>
      </li>
      <li>
        <a href={`${base}/docs`} target="_blank" rel="noreferrer">
          Reference of the service
        </a>
      </li>
    </ul>
  </section>
)
