/** The query, on every page: what it finds is the view `ask`. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { go, hrefOf, route } from '../route.ts'

export function QueryBox(): JSX.Element {
  const asked = route.value.view === 'ask' ? (route.value.params.get('query') ?? '') : ''
  const [text, setText] = useState(asked)
  useEffect(() => setText(asked), [asked])
  return (
    <form
      class="query"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        go(hrefOf('ask', [], { query: text }))
      }}
    >
      <input
        aria-label="Query"
        placeholder="has cities/name and cities/population > 1000000"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">Ask</button>
    </form>
  )
}
