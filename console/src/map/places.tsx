/** Describes the map in words: the area of the objects, and the squares with most of them. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { rangeText } from './area.ts'
import { areaOfBin, densest, type Bin, type Grid } from './bins.ts'
import type { Points } from './collection.ts'
import { areaOf, placeAt, screenOf, type Area, type Point, type Size, type View } from './projection.ts'

interface PlacesProps {
  readonly points: Points
  readonly grid: Grid
  readonly view: View
  readonly size: Size
  readonly onGo: (place: Point) => void
}

/** The number of described squares. */
const MOST = 8

export function Places(props: PlacesProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false)
  if (props.points.area === undefined) return null
  return (
    <details class="places" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Where most of them are</summary>
      {isOpen && <List {...props} all={props.points.area} />}
    </details>
  )
}

function List({ all, grid, view, size, onGo }: PlacesProps & { readonly all: Area }): JSX.Element {
  const middleOf = ({ column, row }: Bin): Point => ({
    x: (column + 0.5) / grid.across,
    y: (row + 0.5) / grid.across,
  })
  const isSeen = (bin: Bin): boolean => {
    const { x, y } = screenOf(view, size, middleOf(bin))
    return x >= 0 && y >= 0 && x <= size.width && y <= size.height
  }
  const corner = { x: size.width, y: size.height }
  const shown = areaOf(placeAt(view, size, { x: 0, y: 0 }), placeAt(view, size, corner))
  return (
    <>
      <p class="hint">
        All are between {rangeText(all)}. The map shows {rangeText(shown)}, where most are in these squares:
      </p>
      <ol>
        {densest([...grid.bins.values()].filter(isSeen), MOST).map((bin) => (
          <li key={`${bin.column} ${bin.row}`}>
            <button type="button" class="plain" onClick={() => onGo(middleOf(bin))}>
              {rangeText(areaOfBin(grid, bin))}: {bin.count.toLocaleString('en')}
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}
