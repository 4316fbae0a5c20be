/** An object as a row of a table. */
import { Component, type JSX } from 'preact'
import { isNumber, textOf, type Cell } from '../../../command/manners/cells.ts'
import { Value } from '../parts/value.tsx'
import { hrefOf, type Params } from '../route.ts'
import type { Found } from '../service/search.ts'

interface RowProps {
  readonly index: number
  /** Where it begins, in pixels below the heading. */
  readonly start: number
  /** Undefined while it is fetched. */
  readonly found: Found | undefined
  readonly columns: readonly string[]
  /** Whether keys act on it. */
  readonly isActive: boolean
}

/** The URL of an object. */
export const hrefOfObject = ({ id, about }: Found, params?: Params): string =>
  about === null ? hrefOf('object', ['id', id], params) : hrefOf('object', ['about', about], params)

/** A class, as only those leave out what has not changed: of fifty rows all but one or two while somebody scrolls. */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate({ found, columns, isActive, index }: RowProps): boolean {
    const { props } = this
    return (
      found !== props.found ||
      columns !== props.columns ||
      isActive !== props.isActive ||
      index !== props.index
    )
  }

  override render({ index, start, found, columns, isActive }: RowProps): JSX.Element {
    return (
      <div
        role="row"
        class="row"
        // The heading is the first row.
        aria-rowindex={index + 2}
        data-index={index}
        style={{ transform: `translateY(${start}px)` }}
      >
        {found === undefined ? (
          <div role="cell" class="hint">
            …
          </div>
        ) : (
          <>
            <div role="rowheader">
              <a href={hrefOfObject(found)} tabIndex={isActive ? 0 : -1} title={found.about ?? found.id}>
                {found.about ?? found.id}
              </a>
            </div>
            {columns.map((tag) => (
              <CellOf key={tag} cell={found.values[tag]} />
            ))}
          </>
        )}
      </div>
    )
  }
}

/** A longer text may be cut, and is shown in full beside the pointer. */
const SHORT = 12

function CellOf({ cell }: { cell: Cell }): JSX.Element {
  const text = textOf(cell)
  return (
    <div
      role="cell"
      class={isNumber(cell) ? 'numeric' : undefined}
      title={text.length > SHORT ? text : undefined}
    >
      <Value cell={cell} />
    </div>
  )
}
