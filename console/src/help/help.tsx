/** Explains the words and signs of the console for new users. */
import type { JSX } from 'preact'
import { openDialog } from '../parts/dialogs.ts'
import { hrefOf } from '../route.ts'
import { base } from '../service/service.ts'
import './help.css'

const WORDS: readonly (readonly [word: string, means: string])[] = [
  ['Object', 'A thing that facts are put on: a city, a book, a web page. It belongs to nobody.'],
  ['About value', 'What an object is about, such as book:Dune. No two objects have the same.'],
  ['Tag', 'A name for facts, such as alice/books/rating. It belongs to the user whose namespace it is in.'],
  [
    'Value',
    'The fact that an object has under a tag: a number, a text, a list of texts, true or false, nothing but the tag itself (null), or a file.',
  ],
  ['Namespace', 'Where a user keeps tags, as a folder keeps files.'],
  [
    'Permission',
    'Who may do what with a namespace, a tag or its values. Its policy is open (everybody) or closed (nobody), except for the users that it names.',
  ],
  [
    'Query',
    'A sentence that finds objects by their values. It may use the tags of all users who let you read them.',
  ],
]

const QUERIES: readonly (readonly [query: string, finds: string])[] = [
  ['has alice/books/title', 'objects that have the tag, whatever the value'],
  ['alice/books/rating >= 8', 'numbers by their size: = != < <= > >='],
  ['alice/books/title = "Dune"', 'the whole text, letter by letter'],
  ['alice/books/title matches "dune mess*"', 'words in a text, also by their beginning'],
  ['alice/books/genres contains "novel"', 'an item of a list'],
  ['A and B', 'what both find; or: what either finds; except: what only the first finds'],
]

export default function Help(): JSX.Element {
  return (
    <article class="help-page">
      <h1>Help</h1>
      <p class="actions">
        <button type="button" onClick={() => openDialog('keys')}>
          Keys
        </button>
        <button type="button" onClick={() => openDialog('palette')}>
          Go to anything
        </button>
        <a href={`${base}/docs`} target="_blank" rel="noreferrer">
          Reference of the service
        </a>
        <a href={hrefOf('recent')}>Recent changes</a>
      </p>
      <h2>Words</h2>
      <Definitions rows={WORDS} />
      <h2>Queries</h2>
      <Definitions rows={QUERIES} code />
      <h2>Signs</h2>
      <dl class="definitions">
        <dt>A lock</dt>
        <dd>Not for everybody. The page of the tag or namespace says for whom, and why.</dd>
        <dt>The bar at the bottom</dt>
        <dd>
          The latest request to the service. It opens the list of those before, and each can be copied as a
          curl command.
        </dd>
      </dl>
      <h2>Who sees what</h2>
      <p>
        Names of users, namespaces and tags can be seen by everybody; values only by those who have the
        permission to read the tag. What you do here, you do with the permissions of the user who is signed
        in, or of nobody.
      </p>
      <p class="hint">
        The console has parts that others wrote: their <a href="assets/licenses.md">licences</a>.
      </p>
    </article>
  )
}

interface DefinitionsProps {
  readonly rows: readonly (readonly [string, string])[]
  readonly code?: boolean
}

const Definitions = ({ rows, code = false }: DefinitionsProps): JSX.Element => (
  <dl class="definitions">
    {rows.map(([word, means]) => (
      <>
        <dt>{code ? <code>{word}</code> : word}</dt>
        <dd>{means}</dd>
      </>
    ))}
  </dl>
)
