/** Shows the results of a query: their number, and their values as a table, on a map, or as a chart. */
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useLoaded } from '../parts/loaded.ts'
import { both } from '../query/compose.ts'
import { route } from '../route.ts'
import { client } from '../service/service.ts'
import { Facetted } from './facetted.tsx'
import { late } from './late.tsx'
import { guessFor, rowsOf } from './lists.ts'
import { Nothing } from './nothing.tsx'
import type { Rows } from './rows.ts'
import { readState, showOther, type AskState } from './state.ts'
import { Summary } from './summary.tsx'
import { Table } from './table.tsx'
import { Tools } from './tools.tsx'
import { Trouble } from './trouble.tsx'
import './ask.css'

const Chart = late(async () => (await import('../chart/chart.tsx')).default)
const WorldMap = late(async () => (await import('../map/map.tsx')).default)

export default function Ask(): JSX.Element {
  const state = readState(route.value.params)
  const { query, columns } = state
  const chosen = columns?.join(' ')
  const guess = useLoaded(
    async (signal) => ({ query, columns: columns ?? (await guessFor(query, signal)) }),
    [query, chosen],
  )
  // The loaded columns may belong to another query.
  const guessed = guess.value?.query === query ? guess.value.columns : undefined
  const shown = useMemo(() => columns ?? guessed, [chosen, guessed])
  if (query.trim() === '') return <Empty />
  if (shown !== undefined) return <Results state={state} columns={shown} />
  if (guess.error === undefined) return <h1 class="waiting">Asking …</h1>
  return <Trouble query={query} error={guess.error} again={guess.again} />
}

const Empty = (): JSX.Element => (
  <>
    <h1>Ask</h1>
    <p>
      Write a query into the field above. <code>has cities/name</code> finds all objects with that tag.
    </p>
  </>
)

interface ResultsProps {
  readonly state: AskState
  readonly columns: readonly string[]
}

function Results({ state, columns }: ResultsProps): JSX.Element {
  const { query, sort, show } = state
  const asker = client()
  const rows = useMemo(() => rowsOf({ query, columns, sort }), [query, columns, sort, asker])
  useFresh(rows)
  const outcome = rows.outcome.value
  const narrow = (condition: string): void => showOther(both(query, condition), columns)
  if (outcome === 'failed')
    return <Trouble query={query} error={rows.state.value.error} again={() => rows.retry()} />
  if (outcome === 'none') {
    return (
      <>
        <Summary query={query} rows={rows} />
        <Nothing query={query} />
      </>
    )
  }
  return (
    <div class="ask">
      <Summary query={query} rows={rows} />
      <Tools state={state} columns={columns} rows={rows} />
      <Facetted state={state} onNarrow={narrow}>
        {show === 'map' ? (
          <WorldMap query={query} onNarrow={narrow} />
        ) : show === 'chart' ? (
          <Chart query={query} onNarrow={narrow} />
        ) : (
          <Table rows={rows} columns={columns} sort={sort} />
        )}
      </Facetted>
    </div>
  )
}

/**
 * Fetches rows while they are on the screen. Fetches kept rows again, because they may have changed, also when the user
 * asks again.
 */
function useFresh(rows: Rows): void {
  const { value } = route
  const asked = useRef('')
  useLayoutEffect(() => {
    if (rows.state.peek().known > 0) rows.refresh()
    else rows.need(0, 1)
    return () => rows.stop()
  }, [rows])
  useEffect(() => {
    if (asked.current === location.hash) rows.refresh()
    asked.current = location.hash
  }, [rows, value])
}
