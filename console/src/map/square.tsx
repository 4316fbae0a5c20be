/** Shows the number of objects in the selected square, and some of the objects. */
import type { JSX } from 'preact'
import { hrefOfFound, titleOf } from '../chart/found.ts'
import { AFTER, useLater } from '../parts/later.ts'
import { quoted } from '../query/compose.ts'
import type { Found } from '../service/page.ts'
import { fetchPage } from '../service/search.ts'
import { conditionOf, rangeText, sidesOf, type Pair } from './area.ts'
import { areaOfBin, idsOf, type Bin, type Grid } from './bins.ts'
import type { Points } from './collection.ts'
import type { View } from './projection.ts'

interface SquareProps {
  readonly points: Points
  readonly grid: Grid
  readonly bin: Bin | undefined
  readonly pair: Pair
  readonly view: View
  /** The tag with the names of objects. */
  readonly name: string | undefined
  readonly onNarrow: (condition: string) => void
}

/** The number of objects to name. */
const NAMED = 5

const NONE: readonly never[] = []

export function Square({ points, grid, bin, pair, view, name, onNarrow }: SquareProps): JSX.Element {
  const ids = bin ? idsOf(points, grid, bin, NAMED) : []
  const found = useLater<readonly Found[]>(
    ids.length > 0 ? (signal) => named(ids, name, signal) : undefined,
    [ids.join(' ')],
    { none: NONE, delay: AFTER.square },
  )
  if (bin === undefined) {
    return (
      <p class="square hint" role="status">
        Point at a square to see what is in it. A click enlarges the map there.
      </p>
    )
  }
  const area = areaOfBin(grid, bin)
  return (
    <div class="square" role="status">
      <strong>
        {bin.count.toLocaleString('en')} {bin.count === 1 ? 'object' : 'objects'}
      </strong>{' '}
      <span class="where">{rangeText(area)}</span>
      {found.map((one) => (
        <a key={one.id} href={hrefOfFound(one)}>
          {titleOf(one, name)}
        </a>
      ))}
      {found.length > 0 && bin.count > found.length && (
        <span class="where">and {(bin.count - found.length).toLocaleString('en')} more</span>
      )}
      <button type="button" onClick={() => onNarrow(conditionOf(pair, sidesOf(area, view)))}>
        Keep only these
      </button>
    </div>
  )
}

/** Fetches the names of objects. */
async function named(
  ids: readonly string[],
  name: string | undefined,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const query = ids.map((id) => `service/id = ${quoted(id)}`).join(' or ')
  const { results } = await fetchPage(
    { query, columns: name === undefined ? [] : [name], limit: NAMED },
    signal,
  )
  return results
}
