/** A chart of one tag, or of the numbers of two tags. The URL contains the tags and scales. */
import type { JSX } from 'preact'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import type { Sampled } from './guess.ts'
import { sampleTags } from './sample.ts'
import { go, hrefWith, route } from '../route.ts'
import './chart.css'
import { OneTag } from './one-tag.tsx'
import { Scatter } from './scatter.tsx'

interface ChartProps {
  readonly query: string
  readonly onNarrow: (condition: string) => void
}

export default function Chart({ query, onNarrow }: ChartProps): JSX.Element {
  const sample = useLoaded((signal) => sampleTags(query, signal), [query])
  const { params } = route.value
  if (sample.error !== undefined) return <Problem error={sample.error} again={sample.again} />
  const tags = sample.value
  if (tags === undefined) return <p class="waiting">Looking at what there is …</p>
  const x = params.get('x') ?? firstOf(tags)
  const y = params.get('y') ?? ''
  if (x === undefined)
    return (
      <p class="hint">
        Nothing here to draw: the objects have no tags with numbers, and none whose values several share.
      </p>
    )
  const selects = (
    <>
      <TagSelect label="Across" name="x" value={x} tags={drawable(tags)} />
      <TagSelect
        label="Up"
        name="y"
        value={y}
        tags={numeric(tags).filter((tag) => tag !== x)}
        none="number of objects"
      />
    </>
  )
  return (
    <section class="chart" aria-label="Chart">
      {y === '' ? (
        <OneTag key={x} {...{ query, tag: x, onNarrow }}>
          {selects}
        </OneTag>
      ) : (
        <Scatter key={`${x} ${y}`} {...{ query, x, y, tags, onNarrow }}>
          {selects}
        </Scatter>
      )}
    </section>
  )
}

interface TagSelectProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly tags: readonly string[]
  /** The text of the choice without a tag; undefined if the user must choose one. */
  readonly none?: string
}

function TagSelect({ label, name, value, tags, none }: TagSelectProps): JSX.Element {
  const all = value === '' || tags.includes(value) ? tags : [value, ...tags]
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => go(hrefWith({ [name]: event.currentTarget.value }))}>
        {none !== undefined && <option value="">{none}</option>}
        {all.map((tag) => (
          <option key={tag}>{tag}</option>
        ))}
      </select>
    </label>
  )
}

const numeric = (tags: readonly Sampled[]): readonly string[] =>
  tags.filter(({ kind }) => kind === 'number').map(({ tag }) => tag)

const drawable = (tags: readonly Sampled[]): readonly string[] =>
  tags.filter(({ kind }) => kind !== 'text' && kind !== 'other').map(({ tag }) => tag)

/** Prefers amounts to coordinates, of which a map shows more, and both to names of kinds. */
const firstOf = (tags: readonly Sampled[]): string | undefined =>
  numeric(tags).find((tag) => !/\/(lat|lon|lng|latitude|longitude)$/i.test(tag)) ??
  numeric(tags)[0] ??
  drawable(tags)[0]
