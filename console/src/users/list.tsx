/** Lists all users, page by page. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../../../common/values.ts'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { go, hrefOf, hrefWith, route } from '../route.ts'
import { Create } from './create.tsx'
import { fetchPeople, type Person } from './people.ts'

export function List(): JSX.Element {
  const { params } = route.value
  const find = params.get('find') ?? ''
  const cursor = params.get('cursor') ?? undefined
  const page = useLoaded((signal) => fetchPeople(find, cursor, signal), [find, cursor])
  const { people = [], count = 0, next } = page.value ?? {}
  return (
    <>
      <Heading find={find} />
      {page.error !== undefined && <Problem error={page.error} again={page.again} />}
      <p class="hint" role="status">
        {page.loading ? 'Loading …' : `${count.toLocaleString('en')} ${count === 1 ? 'user' : 'users'}`}
      </p>
      {people.length > 0 && <Table people={people} />}
      <Pages cursor={cursor} next={next} />
    </>
  )
}

interface PagesProps {
  readonly cursor: string | undefined
  readonly next: string | undefined
}

const Pages = ({ cursor, next }: PagesProps): JSX.Element => (
  <p class="actions">
    {cursor !== undefined && <a href={hrefWith({ cursor: undefined })}>First page</a>}
    {next !== undefined && <a href={hrefWith({ cursor: next })}>Next page</a>}
  </p>
)

function Heading({ find }: { find: string }): JSX.Element {
  const [creating, setCreating] = useState(false)
  return (
    <div class="heading">
      <h1>Users</h1>
      <label class="find">
        Find
        <input
          type="search"
          value={find}
          placeholder="Beginning of a name"
          onInput={({ currentTarget }) =>
            go(hrefWith({ find: currentTarget.value, cursor: undefined }), true)
          }
        />
      </label>
      <button type="button" class="main" onClick={() => setCreating(true)}>
        Create a user …
      </button>
      {creating && <Create onClose={() => setCreating(false)} />}
    </div>
  )
}

const Table = ({ people }: { people: readonly Person[] }): JSX.Element => (
  <div class="scroll people" tabIndex={0} role="region" aria-label="Table of users">
    <table>
      <thead>
        <tr>
          {['User name', 'Name', 'Role', 'E-mail'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map(({ username, name, role, email = '' }) => (
          <tr key={username}>
            <th scope="row">
              <a href={hrefOf('users', [username])}>{username}</a>
            </th>
            <td>{visible(name)}</td>
            <td>{role}</td>
            <td>{visible(email)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
