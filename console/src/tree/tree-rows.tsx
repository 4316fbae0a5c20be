/** The rows of the tree; one of them can have the focus. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Lock } from '../parts/lock.tsx'
import { hrefOf, route } from '../route.ts'
import { isTyped, moveOf } from './keys.ts'
import { baseName, type Row } from './rows.ts'
import { loadMoreRoots, setOpen, showMore } from './state.ts'

interface TreeRowsProps {
  readonly rows: readonly Row[]
  /** The text to highlight in paths. */
  readonly marked?: string
}

export function TreeRows({ rows, marked }: TreeRowsProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null)
  const current = currentIn(rows)
  const [active, setActive] = useState('')
  const found = rows.findIndex((row) => idOf(row) === active)
  const at = Math.max(0, found < 0 ? current : found)
  const isThere = current >= 0
  useEffect(() => {
    if (isThere) itemAt(list.current, current)?.scrollIntoView({ block: 'nearest' })
  }, [route.value, isThere])
  const onKeyDown = useKeys(rows, at, (to) => itemAt(list.current, to)?.focus())
  return (
    <ul
      role="tree"
      aria-label="Namespaces and tags"
      ref={list}
      onKeyDown={onKeyDown}
      onFocusIn={(event) => setActive((event.target as HTMLElement).dataset['id'] ?? '')}
    >
      {rows.map((row, index) => (
        <li role="none" key={idOf(row)}>
          <Item row={row} isActive={index === at} isCurrent={index === current} marked={marked} />
        </li>
      ))}
    </ul>
  )
}

const itemAt = (list: HTMLElement | null, index: number): HTMLElement | null =>
  list?.children[index]?.querySelector<HTMLElement>('[role=treeitem]') ?? null

const idOf = ({ kind, path }: Row): string => `${kind} ${path}`

/** The index of the row for the path in the URL; -1 without one. */
function currentIn(rows: readonly Row[]): number {
  const { view, at } = route.value
  const path = at.join('/')
  return rows.findIndex((row) => row.kind === view && row.path === path)
}

/** Keys within that many milliseconds form one name. */
const TYPING = 700

function useKeys(
  rows: readonly Row[],
  at: number,
  focus: (index: number) => void,
): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', since: 0 })
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const before = event.timeStamp - typed.current.since < TYPING ? typed.current.text : ''
    const move = moveOf(rows, at, event.key, before)
    if (isTyped(event.key)) typed.current = { text: before + event.key, since: event.timeStamp }
    else if (move === undefined) return
    event.preventDefault()
    const row = rows[at]
    if (move === undefined || row === undefined) return
    if ('to' in move) focus(move.to)
    else setOpen(row.path, move.open)
  }
}

interface ItemProps {
  readonly row: Row
  readonly isActive: boolean
  readonly isCurrent: boolean
  readonly marked: string | undefined
}

function Item({ row, isActive, isCurrent, marked }: ItemProps): JSX.Element {
  const common = {
    role: 'treeitem',
    'aria-level': row.depth,
    tabIndex: isActive ? 0 : -1,
    'data-id': idOf(row),
    style: { paddingInlineStart: `${String((row.depth - 1) * 0.9 + 0.25)}rem` },
  } as const
  if (row.kind === 'note') {
    return (
      <span {...common} class="note" aria-disabled="true">
        {row.text}
      </span>
    )
  }
  if (row.kind === 'more') {
    const more = (): void => {
      if (row.path === '') void loadMoreRoots()
      else showMore(row.path)
    }
    return (
      <button type="button" {...common} class="more" onClick={more}>
        {row.text}
      </button>
    )
  }
  return (
    <a
      {...common}
      class={row.kind}
      href={hrefOf(row.kind, row.path.split('/'))}
      aria-expanded={row.isOpen}
      aria-current={isCurrent ? 'page' : undefined}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
    >
      <Mark row={row} />
      <span class="name">
        {marked === undefined ? baseName(row.path) : <Marked text={baseName(row.path)} part={marked} />}
      </span>
      <span class="hidden">{row.kind}</span>
      {row.isLocked && <Lock />}
    </a>
  )
}

/** The handle that opens and closes a namespace with a pointer; a dot for a tag. */
function Mark({ row }: { row: Extract<Row, { readonly isOpen: unknown }> }): JSX.Element {
  if (row.isOpen === undefined) return <span class={`mark of-${row.kind}`} aria-hidden="true" />
  const turn = (event: MouseEvent): void => {
    event.preventDefault()
    setOpen(row.path, row.isOpen !== true)
  }
  return (
    <span class={`mark turns ${row.isOpen ? 'open' : ''}`} aria-hidden="true" onClick={turn}>
      <svg viewBox="0 0 10 10" width="10" height="10">
        <path d="M3 1.5 7 5 3 8.5z" fill="currentColor" />
      </svg>
    </span>
  )
}

/** A text with highlighted matches. */
function Marked({ text, part }: { text: string; part: string }): JSX.Element {
  const wanted = part.slice(part.lastIndexOf('/') + 1).toLowerCase()
  const start = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted)
  if (start < 0) return <>{text}</>
  const end = start + wanted.length
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  )
}
