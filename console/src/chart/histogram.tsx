/**
 * Shows the distribution of numbers as bars. A click on a bar, or a drag over several, narrows the query to their
 * numbers.
 */
import type { CanvasHTMLAttributes, JSX, TargetedPointerEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { Facet, Spread } from '../service/facet.ts'
import { Canvas, type Surface } from './canvas.tsx'
import './chart.css'
import {
  countOf,
  endsOf,
  isOfInts,
  ofInts,
  placeAmong,
  rangeOf,
  readable,
  within,
  type Range,
} from './range.ts'
import { brief, ticksOf, type Scale } from './scale.ts'

interface HistogramProps {
  readonly tag: string
  readonly facet: Facet
  readonly spread: Spread
  readonly scale: Scale
  /** Shows counts and axis labels; without it, the histogram is as small as possible. */
  readonly isLarge?: boolean
  readonly onNarrow: (condition: string) => void
}

/** The selected bins, in the order of the selection. */
interface Chosen {
  readonly start: number
  readonly end: number
}

const first = ({ start, end }: Chosen): number => Math.min(start, end)
const last = ({ start, end }: Chosen): number => Math.max(start, end)

export function Histogram(props: HistogramProps): JSX.Element {
  const { tag, facet, spread, scale, isLarge = false, onNarrow } = props
  const [chosen, choose] = useState<Chosen>()
  const shown = chosen && last(chosen) < spread.bins.length ? chosen : undefined
  const frame = isLarge ? LARGE : SMALL
  const rangeFor = (bins: Chosen): Range | undefined => {
    const range = rangeOf(spread, first(bins), last(bins))
    return range && isOfInts(facet) ? ofInts(range) : range
  }
  const narrow = (bins: Chosen): void => {
    const range = rangeFor(bins)
    choose(undefined)
    if (range) onNarrow(within(tag, range))
  }
  const range = shown && rangeFor(shown)
  return (
    <div class={`histogram ${isLarge ? 'large' : ''}`}>
      <Canvas
        tabIndex={0}
        role="application"
        aria-label={`Bars of ${tag}: the arrows go from one to the next, with Shift they choose more, Enter keeps them`}
        draw={(surface) => drawBars(surface, { spread, scale, frame }, shown)}
        {...handlersOf({ count: spread.bins.length, frame, chosen: shown, choose, narrow })}
      />
      <p class="readout" role="status">
        {shown && range
          ? `${readable(range.from)} to ${range.before === true ? 'before ' : ''}${readable(range.to)}: ${countOf(spread, first(shown), last(shown)).toLocaleString('en')}`
          : `${readable(spread.smallest)} to ${readable(spread.largest)}`}
      </p>
      <BinTable tag={tag} spread={spread} />
    </div>
  )
}

/** The histogram as a table for screen readers. */
const BinTable = ({ tag, spread }: { tag: string; spread: Spread }): JSX.Element => (
  <div class="hidden">
    <table>
      <caption>How many objects have which {tag}</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">To</th>
          <th scope="col">Objects</th>
        </tr>
      </thead>
      <tbody>
        {spread.bins.map(({ from, to, count }) => (
          <tr key={from.rawJSON}>
            <td>{readable(from)}</td>
            <td>{readable(to)}</td>
            <td>{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

interface Handling {
  readonly count: number
  readonly frame: Frame
  readonly chosen: Chosen | undefined
  readonly choose: (bins: Chosen | undefined) => void
  readonly narrow: (bins: Chosen) => void
}

function handlersOf({ count, frame, chosen, choose, narrow }: Handling): CanvasHTMLAttributes {
  const binAt = (event: TargetedPointerEvent<HTMLCanvasElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const place = (event.clientX - left - frame.left) / (width - frame.left - frame.right)
    return Math.max(0, Math.min(count - 1, Math.floor(place * count)))
  }
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const at = binAt(event)
      choose({ start: at, end: at })
    },
    onPointerMove: (event) => {
      const end = binAt(event)
      const isHeld = event.currentTarget.hasPointerCapture(event.pointerId)
      const start = isHeld && chosen ? chosen.start : end
      if (chosen?.start !== start || chosen.end !== end) choose({ start, end })
    },
    onPointerUp: (event) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId) && chosen) narrow(chosen)
    },
    onPointerCancel: () => choose(undefined),
    onPointerLeave: () => choose(undefined),
    onBlur: () => choose(undefined),
    onKeyDown: (event) => {
      const to = targetOf(event.key, chosen, count)
      if (to !== undefined) choose({ start: event.shiftKey && chosen ? chosen.start : to, end: to })
      else if (event.key === 'Enter' && chosen) narrow(chosen)
      else if (event.key === 'Escape' && chosen) choose(undefined)
      else return
      event.preventDefault()
    },
  }
}

/** The bin to which a key moves. */
function targetOf(key: string, chosen: Chosen | undefined, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return undefined
  if (chosen === undefined) return 0
  return Math.max(0, Math.min(count - 1, chosen.end + (key === 'ArrowRight' ? 1 : -1)))
}

/** The margins of the bars. */
interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const SMALL: Frame = { left: 0, right: 0, top: 2, bottom: 1 }
const LARGE: Frame = { left: 52, right: 12, top: 10, bottom: 24 }

interface Bars {
  readonly spread: Spread
  readonly scale: Scale
  readonly frame: Frame
}

function drawBars(surface: Surface, bars: Bars, chosen: Chosen | undefined): void {
  const { context, width, height, colour } = surface
  const { spread, frame } = bars
  const [wide, high] = [width - frame.left - frame.right, height - frame.top - frame.bottom]
  const most = Math.max(1, ...spread.bins.map(({ count }) => count))
  if (frame === LARGE) drawAxes(surface, bars, most)
  const each = wide / spread.bins.length
  const gap = each > 4 ? 1 : 0
  spread.bins.forEach(({ count }, at) => {
    const isChosen = chosen !== undefined && first(chosen) <= at && at <= last(chosen)
    if (isChosen) {
      context.fillStyle = colour('chosen')
      context.fillRect(frame.left + at * each, frame.top, each, high)
    }
    // Even the smallest count stays visible.
    const tall = count === 0 ? 0 : Math.max(2, (count / most) * high)
    context.fillStyle = colour(isChosen ? 'bar-at' : 'bar')
    context.fillRect(frame.left + at * each, frame.top + high - tall, each - gap, tall)
  })
  context.fillStyle = colour('words')
  context.fillRect(frame.left, frame.top + high, wide, 1)
}

function drawAxes({ context, width, height, colour }: Surface, bars: Bars, most: number): void {
  const { spread, scale, frame } = bars
  const [wide, high] = [width - frame.left - frame.right, height - frame.top - frame.bottom]
  context.textBaseline = 'middle'
  context.textAlign = 'right'
  const counts = { from: 0, to: most, scale: 'linear' as const }
  for (const tick of ticksOf(counts, high / 50).filter(Number.isInteger)) {
    const y = Math.round(frame.top + high - (tick / most) * high)
    context.fillStyle = colour('grid')
    context.fillRect(frame.left, y, wide, 1)
    context.fillStyle = colour('words')
    context.fillText(brief(tick), frame.left - 8, y)
  }
  const [smallest, largest] = endsOf(spread)
  const positive = Math.max(
    smallest,
    Number(spread.bins.find(({ from }) => Number(from.rawJSON) > 0)?.from.rawJSON ?? 1),
  )
  const from = scale === 'logarithmic' ? positive : smallest
  context.textAlign = 'center'
  context.textBaseline = 'bottom'
  for (const tick of ticksOf({ from, to: largest, scale }, wide / 80)) {
    const place = placeAmong(spread, tick, scale)
    if (place === undefined) continue
    context.fillStyle = colour('words')
    context.fillRect(Math.round(frame.left + place * wide), height - frame.bottom, 1, 4)
    context.fillText(brief(tick), frame.left + place * wide, height)
  }
}
