/** Shows the numbers of two tags with a dot for each object. A rectangle over some dots narrows the query. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { nameTag, type Sampled } from './guess.ts'
import { Problem } from '../parts/problem.tsx'
import { route } from '../route.ts'
import { user } from '../service/service.ts'
import { Value } from '../parts/value.tsx'
import { axesOf, inOrder, type Dot } from './dots.ts'
import { fetchDots, type Dots } from './fetch-dots.ts'
import { hrefOfFound, titleOf } from './found.ts'
import { RangeForm } from './range-form.tsx'
import { within } from './range.ts'
import { ScaleSelect } from './scale-select.tsx'
import type { Scale } from './scale.ts'
import { Plot } from './plot.tsx'

interface ScatterProps {
  readonly query: string
  readonly x: string
  readonly y: string
  /** The tags of the objects, to find their names. */
  readonly tags: readonly Sampled[]
  /** The first of the controls. */
  readonly children: ComponentChildren
  readonly onNarrow: (condition: string) => void
}

export function Scatter({ query, x, y, tags, children, onNarrow }: ScatterProps): JSX.Element {
  const name = nameTag(tags)
  const { loaded, error, again } = useDots({ query, x, y, name })
  const [at, setAt] = useState<number>()
  const scales = { x: scaleIn('scale'), y: scaleIn('yscale') }
  const all = loaded?.dots
  const axes = useMemo(() => axesOf(all ?? [], scales.x, scales.y), [all, scales.x, scales.y])
  const dots = useMemo(() => inOrder(all ?? [], axes), [all, axes])
  if (error !== undefined) return <Problem error={error} again={again} />
  const current = at === undefined ? undefined : dots[at]
  return (
    <>
      <div class="choices-of-chart">
        {children}
        <ScaleSelect label="Scale across" name="scale" scale={scales.x} />
        <ScaleSelect label="Scale up" name="yscale" scale={scales.y} />
        <p class="hint" role="status">
          {loaded === undefined ? 'Loading objects …' : howMany(loaded, dots.length)}
        </p>
      </div>
      <Plot {...{ dots, axes, at, setAt, onNarrow }} tags={{ x, y }} />
      <Current dot={current} {...{ x, y, name }} />
      <div class="ranges">
        {[x, y].map((tag) => (
          <div key={tag}>
            <span class="of">{tag}</span>
            <RangeForm of={tag} onApply={(range) => onNarrow(within(tag, range))} />
          </div>
        ))}
      </div>
    </>
  )
}

const scaleIn = (name: string): Scale =>
  route.value.params.get(name) === 'logarithmic' ? 'logarithmic' : 'linear'

/** Tells how many of the objects the plot shows. */
function howMany({ dots, count, isComplete }: Dots, drawn: number): string {
  const number = (some: number): string => some.toLocaleString('en')
  const left = dots.length - drawn
  return [
    dots.length === count
      ? `All ${number(count)} objects with both.`
      : `The first ${number(dots.length)} of ${number(count)} objects with both${isComplete ? '' : ', more on their way'}.`,
    ...(left > 0 ? [`A logarithmic scale has no place for ${number(left)} that are not above zero.`] : []),
  ].join(' ')
}

/** Shows the dot at the pointer or at the keyboard position. */
function Current({
  dot,
  x,
  y,
  name,
}: {
  dot: Dot | undefined
  x: string
  y: string
  name: string | undefined
}): JSX.Element {
  return (
    <p class="readout" role="status">
      {dot === undefined ? (
        'Point at a dot, or go from one to the next with the arrows. Drag over some to keep them.'
      ) : (
        <>
          <a href={hrefOfFound(dot.found)}>{titleOf(dot.found, name)}</a> ·{' '}
          <Value cell={dot.found.values[x]} /> · <Value cell={dot.found.values[y]} />
        </>
      )}
    </p>
  )
}

interface Arriving {
  readonly loaded: Dots | undefined
  readonly error: unknown
  readonly again: () => void
}

/** Loads the objects, and returns them as they arrive. */
function useDots(wanted: Parameters<typeof fetchDots>[0]): Arriving {
  const [loaded, setLoaded] = useState<Dots>()
  const [error, setError] = useState<unknown>()
  const [turn, setTurn] = useState(0)
  const { query, x, y, name } = wanted
  const who = user.value
  useEffect(() => {
    const outdated = new AbortController()
    const read = async (): Promise<void> => {
      setError(undefined)
      try {
        for await (const dots of fetchDots(wanted, outdated.signal)) {
          if (!outdated.signal.aborted) setLoaded(dots)
        }
      } catch (reason) {
        if (!outdated.signal.aborted) setError(reason)
      }
    }
    void read()
    return () => {
      outdated.abort()
    }
  }, [query, x, y, name, who, turn])
  return { loaded, error, again: () => setTurn((before) => before + 1) }
}
