/** The tools for results: other views, export, and changes. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { notify } from '../parts/notices.tsx'
import { hrefWith } from '../route.ts'
import { user } from '../service/service.ts'
import { ColumnsPanel } from './columns-panel.tsx'
import { Drop } from './drop.tsx'
import { late } from './late.tsx'
import type { Rows, RowState } from './rows.ts'
import type { AskState } from './state.ts'

const Export = late(async () => (await import('./export.tsx')).Export)
const ChangeMany = late(async () => (await import('../change/change-many.tsx')).default)

const TABS = [
  ['Table', 'table'],
  ['Map', 'map'],
  ['Chart', 'chart'],
] as const

interface ToolsProps {
  readonly state: AskState
  readonly columns: readonly string[]
  readonly rows: Rows
}

export function Tools({ state, columns, rows }: ToolsProps): JSX.Element {
  const { query, sort, show } = state
  const count = rows.count.value
  const [dialog, setDialog] = useState<'export' | 'change' | undefined>()
  const close = (): void => setDialog(undefined)
  return (
    <div class="tools">
      <Tabs show={show} />
      <div class="actions">
        {show === 'table' && (
          <Drop label="Columns">
            <ColumnsPanel columns={columns} />
          </Drop>
        )}
        <button type="button" onClick={() => setDialog('export')}>
          Export …
        </button>
        <ChangeButton count={count} onClick={() => setDialog('change')} />
      </div>
      {dialog === 'export' && <Export {...{ query, columns, sort, count }} onClose={close} />}
      {dialog === 'change' && typeof count === 'number' && (
        <ChangeMany
          query={query}
          count={count}
          onClose={(changed) => {
            close()
            if (changed) rows.refresh()
          }}
        />
      )}
    </div>
  )
}

const Tabs = ({ show }: { show: AskState['show'] }): JSX.Element => (
  <nav aria-label="Ways to show the results">
    {TABS.map(([name, value]) => (
      <a
        key={value}
        href={hrefWith({ show: value === 'table' ? undefined : value })}
        aria-current={show === value ? 'page' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
)

interface ChangeButtonProps {
  readonly count: RowState['count']
  readonly onClick: () => void
}

/** Without a count of the results, the user cannot change them. */
function ChangeButton({ count, onClick }: ChangeButtonProps): JSX.Element | null {
  if (typeof count !== 'number') return null
  const change = (): void => {
    if (user.value === undefined) notify('Sign in first: who is not signed in may not set tags')
    else onClick()
  }
  return (
    <button type="button" onClick={change}>
      Set a tag on {count === 1 ? 'it' : `all ${count.toLocaleString('en')}`} …
    </button>
  )
}
