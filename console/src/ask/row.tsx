/** An object as a row of a table. */
import { Component, type JSX } from 'preact'
import { isNumber, textOf, visible, type Cell } from '../../../command/manners/cells.ts'
import { Value } from '../parts/value.tsx'
import { hrefOf, type Params } from '../route.ts'
import type { Look } from './columns.ts'
import type { Found } from '../service/page.ts'

interface RowProps {
  readonly index: number
  /** Where it stands below where the others begin, in rem; undefined if it is one of them. */
  readonly apart: number | undefined
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
      next.isActive !== props.isActive ||
      next.apart !== props.apart
    )
  }

  override render({ index, apart, found, columns, looks, isActive }: RowProps): JSX.Element {
    return (
      <div
        role="row"
        class={apart === undefined ? 'row' : 'row apart'}
        // The heading is the first row.
        aria-rowindex={index + 2}
        data-index={index}
        style={{ top: apart === undefined ? '' : `${apart}rem` }}
      >
        {found === undefined ? (
          <div role="cell" class="hint">
            …
          </div>
        ) : (
          <>
            <Name found={found} look={looks[0]} isActive={isActive} />
            {columns.map((tag, at) => (
              <CellOf key={tag} cell={found.values[tag]} look={looks[at + 1]} />
            ))}
          </>
        )}
      </div>
    )
  }
}

interface NameProps {
  readonly found: Found
  readonly look: Look | undefined
  readonly isActive: boolean
}

/** What an object is about, which leads to it. */
function Name({ found, look, isActive }: NameProps): JSX.Element {
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

function CellOf({ cell, look }: { cell: Cell; look: Look | undefined }): JSX.Element {
  const text = textOf(cell)
  const isCut = mayBeCut(text, look)
  const classes = [isNumber(cell) && 'numeric', isCut && 'cut'].filter((name) => name !== false)
  return (
    <div role="cell" class={classes.join(' ')} title={isCut ? text : undefined}>
      <Value cell={cell} />
    </div>
  )
}

/** What a wide character takes, in rem, and the space around a text. */
const WIDE = 0.94
const AROUND = 1.1

/** Whether a text may be too long for its column. To cut each would make scrolling slower. */
const mayBeCut = (text: string, look: Look | undefined): boolean =>
  text.length * WIDE + AROUND > (look?.width ?? 0)
