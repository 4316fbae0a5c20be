/** Shows the values of one tag: the most frequent ones, and the distribution of numbers. */
import type { JSX } from 'preact'
import { Bars } from '../chart/bars.tsx'
import { countValues } from '../chart/count.ts'
import { Histogram } from '../chart/histogram.tsx'
import { RangeForm } from '../chart/range-form.tsx'
import { within } from '../chart/range.ts'
import type { Scale } from '../chart/scale.ts'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { go, hrefWith, route } from '../route.ts'
import type { Facet } from '../service/facet.ts'

interface CardProps {
  readonly query: string
  readonly tag: string
  readonly onNarrow: (condition: string) => void
  readonly onRemove: () => void
}

const BINS = 24

export function FacetCard({ query, tag, onNarrow, onRemove }: CardProps): JSX.Element {
  const chosen = chosenScale(tag)
  const loaded = useLoaded(
    (signal) => countValues({ query, tag, top: 8, bins: BINS, chosen }, signal),
    [query, tag, chosen],
  )
  const { value } = loaded
  return (
    <section class="facet" aria-label={tag} aria-busy={loaded.loading}>
      <header>
        <h2>
          <span class="namespace">{tag.slice(0, tag.lastIndexOf('/') + 1)}</span>
          {tag.slice(tag.lastIndexOf('/') + 1)}
        </h2>
        <button type="button" class="plain" aria-label={`Remove the facet ${tag}`} onClick={onRemove}>
          ×
        </button>
      </header>
      {loaded.error !== undefined ? (
        <Problem error={loaded.error} again={loaded.again} />
      ) : value === undefined ? (
        <p class="waiting">Counting …</p>
      ) : (
        <>
          <p class="hint">{loaded.loading ? 'Counting …' : summaryOf(value.facet, value.count)}</p>
          <Contents {...{ tag, onNarrow }} facet={value.facet} scale={value.scale} />
        </>
      )}
    </section>
  )
}

interface ContentsProps {
  readonly tag: string
  readonly facet: Facet
  readonly scale: Scale
  readonly onNarrow: (condition: string) => void
}

function Contents({ tag, facet, scale, onNarrow }: ContentsProps): JSX.Element {
  const { numbers } = facet
  const spread = numbers && numbers.bins.length > 1 ? numbers : undefined
  return (
    <>
      {spread && (
        <>
          <Histogram {...{ tag, facet, spread, scale, onNarrow }} />
          <div class="under">
            <RangeForm of={tag} onApply={(range) => onNarrow(within(tag, range))} />
            <button
              type="button"
              class="plain"
              aria-pressed={scale === 'logarithmic'}
              aria-label={`log scale of ${tag}`}
              title="Logarithmic scale"
              onClick={() => chooseScale(tag, scale === 'linear' ? 'logarithmic' : 'linear')}
            >
              log
            </button>
          </div>
        </>
      )}
      {areFrequent(facet, spread !== undefined) && (
        <Bars label={`Most frequent values of ${tag}`} tag={tag} values={facet.top} onNarrow={onNarrow} />
      )}
      {facet.items.length > 0 && (
        <Bars
          label={`Most frequent items of ${tag}`}
          tag={tag}
          values={facet.items}
          areItems
          onNarrow={onNarrow}
        />
      )}
    </>
  )
}

/** Beside a histogram, frequent values are of interest only if many objects share them. */
function areFrequent({ top, objects }: Facet, hasHistogram: boolean): boolean {
  const shown = top.reduce((sum, { count }) => sum + count, 0)
  const [first] = top
  return first !== undefined && (!hasHistogram || (first.count > 1 && shown > objects * 0.4))
}

function summaryOf({ objects, types }: Facet, count: number): string {
  if (objects === 0) return 'No object has it.'
  const all =
    objects === count
      ? `All ${count.toLocaleString('en')}`
      : `${objects.toLocaleString('en')} of ${count.toLocaleString('en')}`
  const kinds = Object.entries(types)
  const said = kinds.map(([type, number]) =>
    kinds.length === 1 ? type : `${number.toLocaleString('en')} ${type}`,
  )
  return `${all} · ${said.join(', ')}`
}

/** The scale in the URL: `log` and `linear` list tags. */
function chosenScale(tag: string): Scale | undefined {
  const { params } = route.value
  if (params.getAll('log').includes(tag)) return 'logarithmic'
  return params.getAll('linear').includes(tag) ? 'linear' : undefined
}

function chooseScale(tag: string, scale: Scale): void {
  const { params } = route.value
  const others = (name: string): readonly string[] => params.getAll(name).filter((one) => one !== tag)
  const [log, linear] = [others('log'), others('linear')]
  go(hrefWith(scale === 'logarithmic' ? { log: [...log, tag], linear } : { log, linear: [...linear, tag] }))
}
