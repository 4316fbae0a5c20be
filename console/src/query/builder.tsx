/** Shows a query as rows of fields beside its text. A change of either updates the other. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Counts } from './counts.tsx'
import { emptyGroup, GroupRows } from './group-rows.tsx'
import { isGroup, queryText, treeOf, type Group } from './tree.ts'
import { helping, text, write } from './text.ts'
import './builder.css'

/**
 * The rows for the text in the box. Incomplete rows have no text, so the builder keeps them until the text changes
 * elsewhere.
 */
export default function Builder(): JSX.Element {
  const query = text.value
  const [kept, setKept] = useState<{ readonly tree: Group; readonly text: string }>()
  const tree = kept?.text === query ? kept.tree : groupOf(query)
  const change = (next: Group): void => {
    const written = queryText(next)
    setKept({ tree: next, text: written })
    if (written !== query) write(written)
  }
  return (
    <section class="builder" aria-label="Builder">
      {tree === undefined ? (
        <p class="hint">The text above has an error. Mend it, and its conditions are shown here as rows.</p>
      ) : (
        <GroupRows group={tree} onChange={change} />
      )}
      {!helping.value && <Counts />}
    </section>
  )
}

/** The rows for a text; undefined if it is not a query. */
function groupOf(query: string): Group | undefined {
  if (query.trim() === '') return emptyGroup()
  const tree = treeOf(query)
  return tree === undefined || isGroup(tree) ? tree : { join: 'and', parts: [tree] }
}
