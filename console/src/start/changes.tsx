/** Shows the latest writes of users. */
import type { JSX } from 'preact'
import { once } from '../../../src/scheduling/once.ts'
import { visible } from '../../../common/values.ts'
import { useLoaded } from '../parts/loaded.ts'
import { hrefOf } from '../route.ts'
import { fetchChanges, type Change } from './looking.ts'

const time = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }))

/** A few lines. If the request fails, the page omits them, and the view of changes shows the error. */
export function Changes(): JSX.Element {
  const { value, loading } = useLoaded(fetchChanges, [])
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Written last</h2>
      <div class="latest-changes" aria-busy={loading}>
        <ul class="plain-list">
          {value?.map((change) => (
            <Line key={`${change.id} ${change.tag}`} change={change} />
          ))}
        </ul>
        {value === undefined ? (
          <p class="hint">{loading ? 'Loading …' : 'They cannot be shown now.'}</p>
        ) : (
          value.length === 0 && <p class="hint">Nothing yet that you may read.</p>
        )}
      </div>
    </section>
  )
}

const Line = ({ change: { id, about, tag, username, at } }: { change: Change }): JSX.Element => (
  <li>
    <a href={hrefOf('tag', tag.split('/'))}>{tag}</a> on{' '}
    <a href={about === null ? hrefOf('object', ['id', id]) : hrefOf('object', ['about', about])}>
      {visible(about ?? id)}
    </a>
    <span class="by">
      {username ?? 'a deleted user'}, <time dateTime={at}>{time().format(new Date(at))}</time>
    </span>
  </li>
)
