/** An object as a row of a table. */
import { Component, type JSX } from 'preact'
import { textOf, visible, type Cell } from '../../../shared/values.ts'
import { classOf, contentsOf } from '../parts/value.tsx'
import { hrefOf, type Params } from '../route.ts'
import type { Look } from './columns.ts'
import type { Found } from '../service/page.ts'
import { ROW } from './window.ts'

interface RowProps {
  readonly index: number
  /** Undefined while it is fetched. */
  readonly found: Found | undefined
  readonly columns: readonly string[]
  /** How the columns look, that of about values first. */
  readonly looks: readonly Look[]
  /** Whether keys act on it. */
  readonly isActive: boolean
}

/** An about value of more characters would make a URL that is too long to be asked for. */
const LONGEST_ABOUT = 2000

/** The URL of an object. */
export const hrefOfObject = ({ id, about }: Found, params?: Params): string =>
  about === null || about.length > LONGEST_ABOUT
    ? hrefOf('object', ['id', id], params)
    : hrefOf('object', ['about', about], params)

/** A class, as only those leave out what has not changed: of fifty rows all but one or two while somebody scrolls. */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { props } = this
    return (
      next.found !== props.found ||
      next.columns !== props.columns ||
      next.looks !== props.looks ||
      next.isActive !== props.isActive
    )
  }

  override render({ index, found, columns, looks, isActive }: RowProps): JSX.Element {
    return (
      <div
        role="row"
        class="row"
        // The heading is the first row.
        aria-rowindex={index + 2}
        data-index={index}
        // Each has a place of its own, so that none moves when others come and go.
        style={{ top: `${index * ROW}rem` }}
      >
        {found === undefined ? (
          <div role="cell" class="hint">
            …
          </div>
        ) : (
          <>
            {nameOf(found, looks[0], isActive)}
            {columns.map((tag, at) => cellOf(tag, found.values[tag], looks[at + 1]))}
          </>
        )}
      </div>
    )
  }
}

/** What an object is about, which leads to it. This and cells are no components: there are too many. */
function nameOf(found: Found, look: Look | undefined, isActive: boolean): JSX.Element {
  const text = visible(found.about ?? found.id)
  const isCut = mayBeCut(text, look)
  return (
    <div role="rowheader" class={isCut ? 'cut' : undefined}>
      <a href={hrefOfObject(found)} tabIndex={isActive ? 0 : -1} title={isCut ? text : undefined}>
        {text}
      </a>
    </div>
  )
}

function cellOf(tag: string, cell: Cell, look: Look | undefined): JSX.Element {
  if (cell === undefined) return <div key={tag} role="cell" />
  const text = textOf(cell)
  const isCut = mayBeCut(text, look)
  return (
    <div
      key={tag}
      role="cell"
      class={isCut ? `${classOf(cell)} cut` : classOf(cell)}
      title={isCut ? text : undefined}
    >
      {contentsOf(cell)}
    </div>
  )
}

/** What a wide character takes, in rem, and the space around a text. */
const WIDE = 0.94
const AROUND = 1.1

/** Whether a text may be too long for its column. To cut each would make scrolling slower. */
const mayBeCut = (text: string, look: Look | undefined): boolean =>
  text.length * WIDE + AROUND > (look?.width ?? 0)
