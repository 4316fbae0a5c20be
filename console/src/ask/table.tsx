/** Shows objects as a table, and creates only its visible rows. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { Problem } from '../parts/problem.tsx'
import { lookOf, shortNames, type Look } from './columns.ts'
import { Headings } from './heading.tsx'
import { Row } from './row.tsx'
import type { Rows } from './rows.ts'
import { ROW, useWindow, type Window } from './window.ts'
import { useWalk } from './walk.ts'
import './table.css'

interface TableProps {
  readonly rows: Rows
  readonly columns: readonly string[]
  readonly sort: string | undefined
}

/** The number of rows that determine the appearance of the columns. */
const MEASURED = 100

export function Table({ rows, columns, sort }: TableProps): JSX.Element {
  const state = rows.state.value
  const looks = useMemo(() => looksOf(rows, columns), [rows, columns, rows.first(1).length > 0])
  const shown = useWindow(rows, state)
  const walk = useWalk(rows, shown)
  const { box, total } = shown
  const headings = useMemo(
    () => <Headings columns={columns} looks={looks.slice(1)} sort={sort} />,
    [columns, looks, sort],
  )
  const width = looks.reduce((sum, look) => sum + look.width, 0)
  const rem = looks.map((look) => `minmax(${look.width}rem, ${look.width}fr)`)
  return (
    <>
      <div
        ref={box}
        class="objects"
        role="region"
        aria-label="Objects"
        tabIndex={0}
        onKeyDown={(event) => walk.follow(event)}
        onClick={(event) => walk.choose(event)}
      >
        <div
          role="table"
          aria-label="Objects that the query finds"
          aria-rowcount={total + 1}
          aria-colcount={columns.length + 1}
          aria-busy={state.loading}
          style={{ minWidth: `${width}rem`, '--columns': rem.join(' ') }}
        >
          {headings}
          <div role="rowgroup" class="body" style={{ height: `${total * ROW}rem` }}>
            <Body rows={rows} columns={columns} looks={looks} shown={shown} />
          </div>
        </div>
      </div>
      {state.error !== undefined && <Problem error={state.error} again={() => rows.retry()} />}
    </>
  )
}

interface BodyProps {
  readonly rows: Rows
  readonly columns: readonly string[]
  readonly looks: readonly Look[]
  readonly shown: Window
}

const Body = ({ rows, columns, looks, shown: { items, active } }: BodyProps): JSX.Element => (
  <>
    {items.map((index) => (
      <Row
        key={index}
        index={index}
        found={rows.at(index)}
        columns={columns}
        looks={looks}
        isActive={index === active}
      />
    ))}
  </>
)

/** The appearance of the columns: first that of about values, then those of the tags. */
function looksOf(rows: Rows, columns: readonly string[]): Look[] {
  const found = rows.first(MEASURED)
  const names = shortNames(columns)
  const tags = columns.map((tag, at) =>
    lookOf(
      names[at] ?? tag,
      found.map(({ values }) => values[tag]),
    ),
  )
  return [
    lookOf(
      'about',
      found.map(({ id, about }) => about ?? id),
    ),
    ...tags,
  ]
}
