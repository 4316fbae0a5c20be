/** Shows one user, with forms for that user and for superusers. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { notify } from '../parts/notices.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { hrefOf } from '../route.ts'
import { user } from '../service/service.ts'
import { Delete } from './delete.tsx'
import Password from './password.tsx'
import { useSending } from './sent.ts'
import { changePerson, fetchPerson, type Person, type PersonChange } from './people.ts'

/** The facts that no request can change. */
const BUILT_IN = ['service', 'anon']

export function PersonPage({ username }: { username: string }): JSX.Element {
  const { value, error, loading, again } = useLoaded((signal) => fetchPerson(username, signal), [username])
  return (
    <article class="person">
      <h1>{value?.name ?? username}</h1>
      {error !== undefined && <Problem error={error} again={again} />}
      {value === undefined && loading && <p class="waiting">Loading …</p>}
      {value && (
        <>
          <p class="facts">
            User name <strong>{value.username}</strong>, role <strong>{value.role}</strong>, namespace{' '}
            <a href={hrefOf('namespace', [value.username])}>{value.username}</a>
          </p>
          {mayChange(value) && <Changes person={value} key={value} again={again} />}
        </>
      )}
    </article>
  )
}

const mayChange = ({ username }: Person): boolean =>
  user.value !== undefined && (user.value.isSuperuser || user.value.name === username)

interface ChangesProps {
  readonly person: Person
  readonly again: () => void
}

function Changes({ person, again }: ChangesProps): JSX.Element {
  const { username } = person
  const isSelf = user.value?.name === username
  const { busy, error, submit } = useSending(async (field) => {
    const changes = changesOf(person, field)
    await changePerson(username, changes)
    notify(Object.keys(changes).length === 0 ? 'Nothing was changed' : 'Saved')
    again()
  })
  return (
    <>
      <form class="card" onSubmit={submit}>
        <label>
          Name
          <input name="name" autocomplete={isSelf ? 'name' : 'off'} defaultValue={person.name} required />
        </label>
        <Email email={person.email} isSelf={isSelf} />
        {user.value?.isSuperuser && <Role role={person.role} fixed={isSelf || BUILT_IN.includes(username)} />}
        {error !== undefined && <Problem error={error} />}
        <p class="actions">
          <button type="submit" class="main" disabled={busy}>
            {busy ? 'Saving …' : 'Save'}
          </button>
        </p>
      </form>
      <More username={username} mayDelete={user.value?.isSuperuser === true && !isSelf} />
    </>
  )
}

/** The actions without a field: a new password, and deletion. */
function More({ username, mayDelete }: { username: string; mayDelete: boolean }): JSX.Element {
  const [dialog, setDialog] = useState<'password' | 'delete' | undefined>()
  const close = (): void => setDialog(undefined)
  return (
    <div class="actions">
      {username !== 'anon' && (
        <button type="button" onClick={() => setDialog('password')}>
          Change the password …
        </button>
      )}
      {mayDelete && !BUILT_IN.includes(username) && (
        <button type="button" class="danger" onClick={() => setDialog('delete')}>
          Delete the user …
        </button>
      )}
      {dialog === 'password' && <Password username={username} onClose={close} />}
      {dialog === 'delete' && <Delete username={username} onClose={close} />}
    </div>
  )
}

/** The changed fields of the form. A hidden e-mail address remains, unless the user enters another one. */
function changesOf(person: Person, field: (name: string) => string): PersonChange {
  const [name, email, role] = [field('name'), field('email'), field('role')]
  return {
    ...(name !== person.name && { name }),
    ...(email !== (person.email ?? '') && { email }),
    ...((role === 'superuser' || role === 'user') && role !== person.role && { role }),
  }
}

const Email = ({ email, isSelf }: { email: string | undefined; isSelf: boolean }): JSX.Element => (
  <>
    <label>
      {email === undefined ? 'New e-mail' : 'E-mail'}
      <input
        name="email"
        type="email"
        autocomplete={isSelf ? 'email' : 'off'}
        defaultValue={email ?? ''}
        aria-describedby={email === undefined ? 'email-hint' : undefined}
      />
    </label>
    {email === undefined && (
      <p class="hint" id="email-hint">
        Only superusers can read the address that is stored. It stays if you leave this empty.
      </p>
    )}
  </>
)

const Role = ({ role, fixed }: { role: string; fixed: boolean }): JSX.Element => (
  <>
    <label>
      Role
      <select name="role" disabled={fixed} aria-describedby="role-hint">
        {['user', 'superuser', ...(role === 'anonymous' ? [role] : [])].map((one) => (
          <option key={one} value={one} selected={one === role}>
            {one}
          </option>
        ))}
      </select>
    </label>
    <p class="hint" id="role-hint">
      {fixed
        ? 'The roles of built-in users stay, and yours is for another superuser to change.'
        : 'A superuser may do everything, with the namespaces, tags and values of all users.'}
    </p>
  </>
)
