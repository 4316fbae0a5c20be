/** Shows two versions of a value side by side after another user has changed it. */
import type { JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Value } from '../parts/value.tsx'
import { cellOfContent, TYPE_NAMES, type Content } from './content.ts'
import './edit.css'
import type { Versions } from './saving.ts'

interface ConflictProps extends Versions {
  readonly tag: string
  readonly onTheirs: () => void
  readonly onMine: () => void
}

export function Conflict({ tag, theirs, mine, onTheirs, onMine }: ConflictProps): JSX.Element {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <section class="value-conflict" aria-labelledby={id}>
      <h3 id={id} tabIndex={-1} ref={heading}>
        {tag} has been changed meanwhile
      </h3>
      <p>Nothing is written yet. Which version shall stay?</p>
      <div class="conflict-versions">
        <Version title="There now" content={theirs?.content} />
        <Version title="Yours" content={mine} />
      </div>
      <p class="actions">
        <button type="button" onClick={onTheirs}>
          Keep theirs
        </button>
        <button type="button" class="danger" onClick={onMine}>
          {mine === undefined ? 'Delete it all the same' : 'Write mine'}
        </button>
      </p>
    </section>
  )
}

function Version({ title, content }: { title: string; content: Content | undefined }): JSX.Element {
  return (
    <section>
      <h4>{title}</h4>
      {content === undefined ? (
        <p class="hint">No value</p>
      ) : (
        <>
          <div class="conflict-shown" tabIndex={0} role="region" aria-label={title}>
            <Value cell={cellOfContent(content)} />
          </div>
          <p class="hint">{TYPE_NAMES[content.type]}</p>
        </>
      )}
    </section>
  )
}
