/** The headings of a table, with which the user sorts, moves and removes columns. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ABOUT, moved, nextSort, shortNames, type Look } from './columns.ts'
import { keepingFocus } from './focus.ts'
import { showColumns, showSorted } from './state.ts'

interface HeadingProps {
  readonly columns: readonly string[]
  readonly looks: readonly Look[]
  readonly sort: string | undefined
}

export function Headings({ columns, looks, sort }: HeadingProps): JSX.Element {
  const [dragged, setDragged] = useState<string | undefined>()
  const names = shortNames(columns)
  const drop = (onto: string): void => {
    if (dragged === undefined || dragged === onto) return
    showColumns(moved(columns, dragged, columns.indexOf(onto) - columns.indexOf(dragged)))
  }
  return (
    <div role="rowgroup" class="head">
      <div role="row" aria-rowindex={1}>
        <div role="columnheader" aria-sort={directionOf(ABOUT, sort)}>
          <SortButton tag={ABOUT} name="about" sort={sort} />
        </div>
        {columns.map((tag, at) => (
          <div
            key={tag}
            role="columnheader"
            aria-sort={directionOf(tag, sort)}
            class={looks[at]?.isNumeric ? 'numeric' : undefined}
            draggable
            onDragStart={() => setDragged(tag)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault()
              drop(tag)
            }}
            onKeyDown={(event) => change(event, columns, tag)}
          >
            <SortButton tag={tag} name={names[at] ?? tag} sort={sort} keys />
          </div>
        ))}
      </div>
    </div>
  )
}

const directionOf = (tag: string, sort: string | undefined): 'ascending' | 'descending' | 'none' =>
  sort === tag ? 'ascending' : sort === `-${tag}` ? 'descending' : 'none'

const MARKS = { ascending: '▲', descending: '▼', none: '' }

interface SortProps {
  readonly tag: string
  readonly name: string
  readonly sort: string | undefined
  /** Whether keys move and remove the column. */
  readonly keys?: boolean
}

function SortButton({ tag, name, sort, keys = false }: SortProps): JSX.Element {
  return (
    <button
      type="button"
      class="plain"
      title={`${tag}: click to sort`}
      aria-keyshortcuts={keys ? 'Alt+ArrowLeft Alt+ArrowRight Delete' : undefined}
      onClick={() => showSorted(nextSort(tag, sort))}
    >
      <span class="name">{name}</span>
      <span class="sorted" aria-hidden="true">
        {MARKS[directionOf(tag, sort)]}
      </span>
    </button>
  )
}

/** Alt with an arrow moves a column, Delete removes it. */
function change(event: KeyboardEvent, columns: readonly string[], tag: string): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (event.altKey && by !== undefined) keepingFocus(() => showColumns(moved(columns, tag, by)))
  else if (event.key === 'Delete') showColumns(columns.filter((one) => one !== tag))
  else return
  event.preventDefault()
}
