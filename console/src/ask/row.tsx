/** An object as a row of a table. */
import { Component, type JSX } from 'preact'
import { cellText, visible, type Cell } from '../../../common/values.ts'
import { classOf, contentsOf } from '../parts/value.tsx'
import { hrefOf, type Params } from '../route.ts'
import type { Look } from './columns.ts'
import type { Found } from '../service/page.ts'
import { ROW } from './window.ts'

interface RowProps {
  readonly index: number
  /** Undefined until it is loaded. */
  readonly found: Found | undefined
  readonly columns: readonly string[]
  /** The appearance of the columns; that of about values comes first. */
  readonly looks: readonly Look[]
  /** Whether keyboard commands apply to it. */
  readonly isActive: boolean
}

/** The most characters of an about value in a URL; a longer one would make the URL too long for a request. */
const LONGEST_ABOUT = 2000

/** The URL of an object. */
export const hrefOfObject = ({ id, about }: Found, params?: Params): string =>
  about === null || about.length > LONGEST_ABOUT
    ? hrefOf('object', ['id', id], params)
    : hrefOf('object', ['about', about], params)

/** A class component, because those can skip unchanged rows: while the user scrolls, all but one or two of fifty. */
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
        // Rows have absolute positions, so that none moves when others appear or disappear.
        style={{ top: `${index * ROW}rem` }}
      >
        {found === undefined ? (
          <div role="cell" class="hint">
            …
          </div>
        ) : (
          <>
            {rowHeader(found, looks[0], isActive)}
            {columns.map((tag, at) => cellOf(tag, found.values[tag], looks[at + 1]))}
          </>
        )}
      </div>
    )
  }
}

/** The about value as a link to the object. This and cells are not components, because there are too many of them. */
function rowHeader(found: Found, look: Look | undefined, isActive: boolean): JSX.Element {
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
  const text = cellText(cell)
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

/** The width of a wide character in rem, and the space around a text. */
const WIDE = 0.94
const AROUND = 1.1

/** Returns whether a text may be too long for its column. Ellipses on all cells would make scrolling slower. */
const mayBeCut = (text: string, look: Look | undefined): boolean =>
  text.length * WIDE + AROUND > (look?.width ?? 0)
