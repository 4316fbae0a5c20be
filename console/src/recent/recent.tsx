/** Shows the latest writes: by users or on objects that a query finds, by one user, or on one object. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { visible, type Cell } from '../../../common/values.ts'
import { changes } from '../edit/stored.ts'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { moveRow } from '../parts/rows.ts'
import { Value } from '../parts/value.tsx'
import { When } from '../parts/when.tsx'
import { go, hrefOf, hrefWith, route } from '../route.ts'
import { onKeys } from '../parts/keys.ts'
import { fetchRecent, type Recent } from './recent-data.ts'
import './recent.css'
import { askedBy, paramsOf, TABS, type Tab } from './tabs.ts'

/** The number of values at first, and after a request for more. */
const LIMITS = { first: 20, most: 100 }

const ROWS = '.recent-values tbody tr'

export default function RecentView(): JSX.Element {
  const { params } = route.value
  const { tab, text, asked } = askedBy(params)
  const limit = params.get('limit') === String(LIMITS.most) ? LIMITS.most : LIMITS.first
  const latest = useLoaded(
    async (signal) => (asked === undefined ? undefined : await fetchRecent(asked, limit, signal)),
    [tab, text, limit, changes.value],
  )
  onKeys('Recent changes', {
    j: ['go to the next value', () => moveRow(ROWS, 1)],
    k: ['go to the value before', () => moveRow(ROWS, -1)],
  })
  return (
    <>
      <h1>Recent changes</h1>
      <nav class="recent-tabs" aria-label="Whose values, or on what">
        {TABS.map(({ show, title }) => (
          <a href={hrefOf('recent', [], { show })} aria-current={show === tab.show ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Choice key={tab.show} tab={tab} text={text} />
      {latest.error !== undefined && <Problem error={latest.error} again={latest.again} />}
      {latest.loading && <p class="waiting">Reading the latest values …</p>}
      {latest.value && !latest.loading && (
        <>
          <Latest values={latest.value} />
          <p class="actions">
            <button type="button" onClick={latest.again}>
              Look again
            </button>
            {latest.value.length === LIMITS.first && limit === LIMITS.first && (
              <a href={hrefWith({ limit: String(LIMITS.most) })}>Show the latest {LIMITS.most}</a>
            )}
          </p>
        </>
      )}
    </>
  )
}

/** The input of the tab: a query, a user name, or an object. */
function Choice({ tab, text }: { tab: Tab; text: string }): JSX.Element {
  const [typed, setTyped] = useState(text)
  // After a navigation back, the field shows the earlier input.
  useEffect(() => setTyped(text), [text])
  return (
    <form
      class="recent-asked"
      onSubmit={(event) => {
        event.preventDefault()
        go(hrefOf('recent', [], paramsOf(tab, typed.trim())))
      }}
    >
      <label>
        {tab.asks}
        <input
          required
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Show</button>
    </form>
  )
}

function Latest({ values }: { values: readonly Recent[] }): JSX.Element {
  if (values.length === 0) return <p>There are no values that you may see.</p>
  return (
    <div class="recent-values" tabIndex={0} role="region" aria-label="The latest values">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">By</th>
            <th scope="col">Object</th>
            <th scope="col">Tag</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {values.map((value) => (
            <Line key={`${value.id} ${value.tag}`} value={value} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line({ value: { id, about, tag, cell, updatedAt, by } }: { value: Recent }): JSX.Element {
  return (
    <tr>
      <td class="recent-when">
        <When at={updatedAt} />
      </td>
      <td>
        {by === null ? (
          'a user who is gone'
        ) : (
          <a href={hrefOf('recent', [], paramsOf({ show: 'user' }, by))}>{by}</a>
        )}
      </td>
      <td class="recent-object">
        <a href={about === null ? hrefOf('object', ['id', id]) : hrefOf('object', ['about', about])}>
          {visible(about ?? id)}
        </a>
      </td>
      <td>
        <a href={hrefOf('tag', tag.split('/'))}>{tag}</a>
      </td>
      <td class="recent-value">
        <Value cell={shortened(cell)} />
      </td>
    </tr>
  )
}

/** The page of the object shows texts and lists in full. */
const LONGEST = { text: 200, list: 12 }

function shortened(cell: Cell): Cell {
  if (typeof cell === 'string' && cell.length > LONGEST.text) return `${cell.slice(0, LONGEST.text)} …`
  if (!Array.isArray(cell) || cell.length <= LONGEST.list) return cell
  return [...(cell as readonly string[]).slice(0, LONGEST.list), '…']
}
