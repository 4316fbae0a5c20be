/** Shows the values of a tag: the most frequent ones, the items of lists, and the distribution of numbers. */
import type { JSX } from 'preact'
import { cellText } from '../../../common/values.ts'
import { grouped, Value } from '../parts/value.tsx'
import { equals, quoted } from '../query/compose.ts'
import { hrefOf, hrefWith, route } from '../route.ts'
import type { Counted, Facet, Spread } from '../service/facet.ts'

export function Values({ path, facet }: { path: string; facet: Facet }): JSX.Element {
  const { objects, top, items, numbers } = facet
  if (objects === 0) return <p>No object has this tag yet.</p>
  return (
    <>
      {numbers !== undefined && numbers.bins.length > 0 && <Histogram path={path} numbers={numbers} />}
      {top.length > 0 && (
        <section aria-labelledby="top-title">
          <h2 id="top-title">Most frequent values</h2>
          <Ranking path={path} counted={top} queryOf={({ value }) => equals(path, value)} />
        </section>
      )}
      {items.length > 0 && (
        <section aria-labelledby="items-title">
          <h2 id="items-title">Most frequent items of lists</h2>
          <Ranking
            path={path}
            counted={items}
            queryOf={({ value }) =>
              typeof value === 'string' ? `${path} contains ${quoted(value)}` : undefined
            }
          />
        </section>
      )}
    </>
  )
}

interface RankingProps {
  readonly path: string
  readonly counted: readonly Counted[]
  readonly queryOf: (one: Counted) => string | undefined
}

/** Values with a bar each for the number of objects. */
function Ranking({ path, counted, queryOf }: RankingProps): JSX.Element {
  const highest = Math.max(...counted.map(({ count }) => count))
  return (
    <ol class="ranking">
      {counted.map((one) => {
        const query = one.cut ? undefined : queryOf(one)
        const value = (
          <>
            <Value cell={one.value} />
            {one.cut && '…'}
          </>
        )
        return (
          <li key={`${String(one.cut)} ${cellText(one.value)}`}>
            <span
              class="amount"
              aria-hidden="true"
              style={{ width: `${String((100 * one.count) / highest)}%` }}
            />
            {query === undefined ? (
              <span>{value}</span>
            ) : (
              <a href={hrefOf('ask', [], { query, column: path })}>{value}</a>
            )}
            <span class="count">{one.count.toLocaleString('en')}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** Bars for numbers, each with a link to its objects. */
function Histogram({ path, numbers }: { path: string; numbers: Spread }): JSX.Element {
  const { bins, smallest, largest } = numbers
  const highest = Math.max(...bins.map(({ count }) => count))
  return (
    <section class="spread" aria-labelledby="numbers-title">
      <div class="scales">
        <h2 id="numbers-title">Numbers</h2>
        <span>
          <Scale scale={undefined} says="linear" />
          <Scale scale="logarithmic" says="logarithmic" />
        </span>
      </div>
      <ul>
        {bins.map(({ from, to, count }, index) => {
          const [low, high] = [cellText(from), cellText(to)]
          const isLast = index === bins.length - 1
          const query = `${path} >= ${low} and ${path} ${isLast ? '<=' : '<'} ${high}`
          const objects = count === 1 ? '1 object' : `${count.toLocaleString('en')} objects`
          const says = `${grouped(low)} to ${grouped(high)}: ${objects}`
          return (
            <li key={low}>
              <a href={hrefOf('ask', [], { query, column: path, sort: path })} title={says} aria-label={says}>
                <span class="amount" style={{ height: `${String((100 * count) / highest)}%` }} />
              </a>
            </li>
          )
        })}
      </ul>
      <p class="ends">
        <span>{grouped(cellText(smallest))}</span>
        <span>{grouped(cellText(largest))}</span>
      </p>
    </section>
  )
}

function Scale({ scale, says }: { scale: string | undefined; says: string }): JSX.Element {
  const isShown = (route.value.params.get('scale') ?? undefined) === scale
  return (
    <a href={hrefWith({ scale })} aria-label={`Bins: ${says}`} aria-current={isShown ? 'true' : undefined}>
      {says}
    </a>
  )
}
