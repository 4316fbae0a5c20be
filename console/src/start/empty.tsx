/** Shows the first steps in a store without values of users. */
import type { JSX } from 'preact'
import { openDialog } from '../parts/dialogs.ts'
import { hrefOf } from '../route.ts'
import { user } from '../service/service.ts'

export function Empty(): JSX.Element {
  const who = user.value
  return (
    <section class="empty" aria-labelledby="empty">
      <h2 id="empty">{who === undefined ? 'No tags that everybody may read' : 'No tags yet'}</h2>
      {who === undefined && (
        <p>
          There may be tags that their owners keep for some. Sign in to see yours, and to make the first ones.
        </p>
      )}
      <ul>
        <li>
          <a href={hrefOf('import')}>Import a table</a>: each row becomes an object, each column a tag.
        </li>
        <li>
          Write a single value: open an object by what it is about, such as{' '}
          <a href={hrefOf('object', ['about', 'book:Dune'])}>book:Dune</a>, and add a tag.
        </li>
        <li>
          {who?.isSuperuser ? (
            <>
              Tags belong to users. <a href={hrefOf('users')}>Create the first user</a>, and sign in as them.
            </>
          ) : (
            'Users are created by a superuser. A new store has one, service, whose password stands in the first lines of the log.'
          )}
        </li>
      </ul>
      {who === undefined && (
        <button type="button" class="main" onClick={() => openDialog('sign-in')}>
          Sign in
        </button>
      )}
    </section>
  )
}
