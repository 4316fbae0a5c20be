/** Shows results with the facets that narrow them: side by side if there is room, else folded above them. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { late } from './late.tsx'
import { showFacets, type AskState } from './state.ts'

const Facets = late(async () => (await import('../facets/facets.tsx')).Facets)

/** The least width for both side by side. */
const WIDE = '(min-width: 64rem)'

interface FacettedProps {
  readonly state: AskState
  readonly onNarrow: (condition: string) => void
  readonly children: ComponentChildren
}

export function Facetted({ state, onNarrow, children }: FacettedProps): JSX.Element {
  const isWide = useMedia(WIDE)
  const [open, setOpen] = useState(false)
  const facets = <Facets query={state.query} tags={state.facets} onNarrow={onNarrow} onTags={showFacets} />
  return (
    <div class="facetted">
      {isWide ? (
        <aside aria-label="Facets">{facets}</aside>
      ) : (
        <details class="facets-fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Facets</summary>
          {open && facets}
        </details>
      )}
      <div class="results">{children}</div>
    </div>
  )
}

/** Returns whether a media query matches, and renders again when that changes. */
function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const follow = (): void => setHolds(media.matches)
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [query])
  return holds
}
