/** Links to example queries, each with a number of results. */
import type { JSX } from 'preact'
import { visible } from '../../../common/values.ts'
import { useLoaded } from '../parts/loaded.ts'
import { hrefOf } from '../route.ts'
import type { Example } from './examples.ts'
import { fetchFound } from './looking.ts'
import { totalText } from './numbers.ts'

type Explained = Example & { readonly why?: string }

/** Reserves the room of four examples until they arrive, so that the content below does not move. */
const PLACES = [0, 1, 2, 3]

export const Examples = ({ examples }: { examples: readonly Explained[] | undefined }): JSX.Element => (
  <ul class="example-queries" aria-busy={examples === undefined}>
    {examples === undefined
      ? PLACES.map((place) => (
          <li key={place}>{place === 0 && <span class="hint">Looking for tags …</span>}</li>
        ))
      : examples.map((example) => <Row key={example.query} example={example} />)}
  </ul>
)

function Row({ example }: { example: Explained }): JSX.Element {
  const { says, why, query, columns, sort, show } = example
  const found = useLoaded((signal) => fetchFound(query, signal), [query])
  return (
    <li>
      <a href={hrefOf('ask', [], { query, column: columns, sort, show })}>
        <span class="says">{visible(says)}</span>
        <code>{visible(query)}</code>
      </a>
      <span class="found">
        {found.value && `${totalText(found.value)} ${found.value.count === 1 ? 'object' : 'objects'}`}
      </span>
      {why !== undefined && <span class="why">{why}</span>}
    </li>
  )
}
