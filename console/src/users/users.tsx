/** The users page: superusers see all users, other users see themselves. */
import type { JSX } from 'preact'
import { openDialog } from '../parts/dialogs.ts'
import { hrefOf, route } from '../route.ts'
import { user } from '../service/service.ts'
import { List } from './list.tsx'
import { PersonPage } from './person.tsx'
import './users.css'

export default function Users(): JSX.Element {
  const who = user.value
  const [named] = route.value.at
  if (named === undefined && who?.isSuperuser) return <List />
  const username = named ?? who?.name
  if (username === undefined) return <SignInFirst />
  return (
    <>
      {who?.isSuperuser && (
        <p class="trail">
          <a href={hrefOf('users')}>Users</a>
        </p>
      )}
      <PersonPage username={username} key={username} />
    </>
  )
}

const SignInFirst = (): JSX.Element => (
  <>
    <h1>Users</h1>
    <p>Sign in to change your name, your e-mail address and your password. Superusers see all users here.</p>
    <button type="button" class="main" onClick={() => openDialog('sign-in')}>
      Sign in
    </button>
  </>
)
