/** Shows a complete value with its links. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { isNumber, typeOf, visible, type Cell, type OpaqueCell } from '../../../common/values.ts'
import { TYPE_NAMES, type ValueType } from '../edit/content.ts'
import type { Slot } from '../edit/stored.ts'
import { Value } from '../parts/value.tsx'
import { Who } from '../permissions/who.tsx'
import { equals, quoted } from '../query/compose.ts'
import { hrefOf } from '../route.ts'
import type { TagValue } from './object-data.ts'
import { Opaque } from './opaque.tsx'
import { isAddress, readable } from './texts.ts'

/** A complete value, its type, and a link to all objects with the same value. */
export function Whole({ slot, value }: { slot: Slot; value: TagValue }): JSX.Element {
  const { tag, cell, updatedAt } = value
  if (isOpaque(cell)) return <Opaque slot={slot} cell={cell} updatedAt={updatedAt} />
  const same = sameAs(tag, cell)
  return (
    <>
      <div class="value-whole">
        <Primitive {...value} />
      </div>
      <div class="value-facts">
        <span>{TYPE_NAMES[typeOf(cell) as ValueType]}</span>
        {same !== undefined && <a href={same}>All with this value</a>}
        <Who path={tag} kind="tag" />
      </div>
    </>
  )
}

const isOpaque = (cell: Cell): cell is OpaqueCell =>
  typeof cell === 'object' && cell !== null && 'value-type' in cell

function Primitive({ tag, cell }: Pick<TagValue, 'tag' | 'cell'>): JSX.Element {
  if (typeof cell === 'string') return <LongText text={cell} />
  if (Array.isArray(cell)) return <Items tag={tag} items={cell as readonly string[]} />
  return <Value cell={cell} />
}

/** The number of characters, or of items, that appear at first. */
const FIRST = { characters: 600, items: 30 }

function LongText({ text }: { text: string }): JSX.Element {
  const [all, setAll] = useState(false)
  if (text === '') return <span class="value null">empty string</span>
  if (isAddress(text)) {
    return (
      <a class="value" href={text} target="_blank" rel="noreferrer">
        {visible(text)}
      </a>
    )
  }
  const isCut = !all && text.length > FIRST.characters
  return (
    <>
      <span class="value value-long">
        {readable(isCut ? text.slice(0, FIRST.characters) : text)}
        {isCut && ' …'}
      </span>
      {isCut && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  )
}

function Items({ tag, items }: { tag: string; items: readonly string[] }): JSX.Element {
  const [all, setAll] = useState(false)
  const shown = all ? items : items.slice(0, FIRST.items)
  if (items.length === 0) return <span class="value null">empty list</span>
  return (
    <>
      <ul class="value list">
        {shown.map((item) => (
          <li class="item">
            <a href={askFor(tag, `${tag} contains ${quoted(item)}`)} title="All with this item">
              {item === '' ? 'empty string' : visible(item)}
            </a>
          </li>
        ))}
      </ul>
      {shown.length < items.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {items.length.toLocaleString('en')} items
        </button>
      )}
    </>
  )
}

/** A longer query would make the URL too long. */
const LONGEST_QUERY = 2000

function sameAs(tag: string, cell: Cell): string | undefined {
  const query = isNumber(cell) || typeof cell !== 'object' || cell === null ? equals(tag, cell) : undefined
  return query === undefined || query.length > LONGEST_QUERY ? undefined : askFor(tag, query)
}

const askFor = (tag: string, query: string): string => hrefOf('ask', [], { query, column: [tag] })
