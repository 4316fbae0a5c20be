/** Shows the distribution of the values of one tag: a histogram of numbers, and the most frequent other values. */
import type { ComponentChildren, JSX } from 'preact'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { go, hrefWith, route } from '../route.ts'
import type { Facet } from '../service/facet.ts'
import { Bars } from './bars.tsx'
import { countValues } from './count.ts'
import { Histogram } from './histogram.tsx'
import { RangeForm } from './range-form.tsx'
import { within } from './range.ts'
import { ScaleSelect } from './scale-select.tsx'
import type { Scale } from './scale.ts'

interface OneTagProps {
  readonly query: string
  readonly tag: string
  /** The first of the controls. */
  readonly children: ComponentChildren
  readonly onNarrow: (condition: string) => void
}

const FEWEST = 10
const MOST = 100
const USUAL = 40

/** The number of most frequent values. */
const TOP = 20

export function OneTag({ query, tag, children, onNarrow }: OneTagProps): JSX.Element {
  const { params } = route.value
  const bins = binsOf(params.get('bins'))
  const chosen = params.get('scale') ?? undefined
  const loaded = useLoaded(
    (signal) => countValues({ query, tag, top: TOP, bins, chosen }, signal),
    [query, tag, bins, chosen],
  )
  const { value } = loaded
  return (
    <div aria-busy={loaded.loading}>
      <div class="choices-of-chart">
        {children}
        {value?.facet.numbers && <Binning facet={value.facet} scale={value.scale} bins={bins} />}
      </div>
      {loaded.error !== undefined && <Problem error={loaded.error} again={loaded.again} />}
      {value === undefined && loaded.loading && <p class="waiting">Counting …</p>}
      {value && <Drawing {...value} {...{ tag, onNarrow }} />}
    </div>
  )
}

interface DrawingProps {
  readonly tag: string
  readonly facet: Facet
  readonly scale: Scale
  readonly onNarrow: (condition: string) => void
}

function Drawing({ tag, facet, scale, onNarrow }: DrawingProps): JSX.Element {
  const { numbers: spread, top, items, objects } = facet
  if (objects === 0) return <p class="hint">No object here has {tag}.</p>
  return (
    <>
      {spread && (
        <>
          <Histogram {...{ tag, facet, spread, scale, onNarrow }} isLarge />
          <RangeForm of={tag} onApply={(range) => onNarrow(within(tag, range))} />
        </>
      )}
      {spread === undefined && top.length > 0 && (
        <>
          <p class="hint">
            {top.length < TOP ? 'All values' : `The ${TOP} most frequent values`} of{' '}
            {objects.toLocaleString('en')} objects.
          </p>
          <Bars label={`Most frequent values of ${tag}`} {...{ tag, onNarrow }} values={top} />
        </>
      )}
      {items.length > 0 && (
        <Bars label={`Most frequent items of ${tag}`} {...{ tag, onNarrow }} values={items} areItems />
      )}
    </>
  )
}

interface BinningProps {
  readonly facet: Facet
  readonly scale: Scale
  readonly bins: number
}

const Binning = ({ facet, scale, bins }: BinningProps): JSX.Element => (
  <>
    <ScaleSelect label="Scale" name="scale" scale={scale} />
    <label>
      Bars
      <input
        type="number"
        min={FEWEST}
        max={MOST}
        step={5}
        value={bins}
        onChange={(event) => go(hrefWith({ bins: event.currentTarget.value }))}
      />
    </label>
    <p class="hint">{facet.objects.toLocaleString('en')} objects have it.</p>
  </>
)

/** The number of bins in the URL, within the limits. */
function binsOf(text: string | null): number {
  const number = Number(text ?? USUAL)
  return Number.isInteger(number) ? Math.max(FEWEST, Math.min(MOST, number)) : USUAL
}
