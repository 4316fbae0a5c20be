/** A query as rows to fill in, beside its text: each is made from the other. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Counts } from './counts.tsx'
import { emptyGroup, GroupRows } from './group-rows.tsx'
import { isGroup, textOf, treeOf, type Group } from './tree.ts'
import { helping, text, write } from './text.ts'
import './builder.css'

/** The rows for the text in the box. Rows that are not finished are in no text, so they are kept until it changes elsewhere. */
export default function Builder(): JSX.Element {
  const query = text.value
  const [kept, setKept] = useState<{ readonly tree: Group; readonly text: string }>()
  const tree = kept?.text === query ? kept.tree : groupOf(query)
  const change = (next: Group): void => {
    const written = textOf(next)
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

/** The rows of a text; undefined if it is no query. */
function groupOf(query: string): Group | undefined {
  if (query.trim() === '') return emptyGroup()
  const tree = treeOf(query)
  return tree === undefined || isGroup(tree) ? tree : { join: 'and', parts: [tree] }
}
