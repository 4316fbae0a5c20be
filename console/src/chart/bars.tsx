/** Shows the most frequent values with their counts. A click on one narrows the query to it. */
import type { JSX } from 'preact'
import { cellText, visible } from '../../../common/values.ts'
import { grouped } from '../parts/value.tsx'
import { equals, quoted } from '../query/compose.ts'
import type { Counted } from '../service/facet.ts'
import { isNumber } from '../../../common/values.ts'
import './chart.css'

interface BarsProps {
  readonly label: string
  readonly tag: string
  readonly values: readonly Counted[]
  /** Whether the bars count items of lists instead of values. */
  readonly areItems?: boolean
  readonly onNarrow: (condition: string) => void
}

export function Bars({ label, tag, values, areItems = false, onNarrow }: BarsProps): JSX.Element {
  const most = Math.max(1, ...values.map(({ count }) => count))
  return (
    <ul class="bars" aria-label={label}>
      {values.map((value) => {
        const condition = conditionOf(tag, value, areItems)
        return (
          <li key={cellText(value.value)}>
            <Bar
              value={value}
              most={most}
              onClick={condition === undefined ? undefined : () => onNarrow(condition)}
            />
          </li>
        )
      })}
    </ul>
  )
}

interface BarProps {
  readonly value: Counted
  readonly most: number
  readonly onClick: (() => void) | undefined
}

function Bar({ value, most, onClick }: BarProps): JSX.Element {
  const contents = (
    <>
      <span class="fill" style={{ width: `${(100 * value.count) / most}%` }} />
      <span class={`text ${value.value === null ? 'none' : ''}`}>{labelOf(value)}</span>
      <span class="count">{value.count.toLocaleString('en')}</span>
    </>
  )
  return onClick ? (
    <button type="button" class="bar" title={cellText(value.value)} onClick={onClick}>
      {contents}
    </button>
  ) : (
    <span class="bar">{contents}</span>
  )
}

/** The condition for the objects of a bar; undefined if the answer contains only the beginning of a text. */
function conditionOf(tag: string, { value, cut }: Counted, areItems: boolean): string | undefined {
  if (cut) return undefined
  return areItems && typeof value === 'string' ? `${tag} contains ${quoted(value)}` : equals(tag, value)
}

function labelOf({ value, cut }: Counted): string {
  if (isNumber(value)) return grouped(cellText(value))
  if (value === '') return '(empty text)'
  return `${visible(cellText(value))}${cut ? '…' : ''}`
}
