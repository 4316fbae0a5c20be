/** Shows the values of some tags on the results of a query. A click on one narrows the query. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLoaded, type Loaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { TagInput } from '../parts/tag-input.tsx'
import { FacetCard } from './card.tsx'
import './facets.css'
import { worthCounting } from '../chart/guess.ts'
import { sampleTags } from '../chart/sample.ts'

interface FacetsProps {
  readonly query: string
  /** The tags; undefined for the default. */
  readonly tags: readonly string[] | undefined
  readonly onNarrow: (condition: string) => void
  readonly onTags: (tags: readonly string[]) => void
}

const MOST = 8

export function Facets({ query, tags, onNarrow, onTags }: FacetsProps): JSX.Element {
  const isGuess = tags === undefined
  const guess = useLoaded(
    async (signal) => (isGuess ? worthCounting(await sampleTags(query, signal)) : []),
    [query, isGuess],
  )
  if (guess.error !== undefined) return <Problem error={guess.error} again={guess.again} />
  const shown = tags?.slice(0, MOST) ?? guess.value
  if (shown === undefined || isStillGuessing(tags, guess))
    return <p class="waiting">Looking at what there is …</p>
  return (
    <div class="facets">
      {isGuess && shown.length === 0 && (
        <p class="hint">No tag here has values that several objects share. Add one to count its values.</p>
      )}
      {shown.map((tag) => (
        <FacetCard
          key={tag}
          {...{ query, tag, onNarrow }}
          onRemove={() => onTags(shown.filter((one) => one !== tag))}
        />
      ))}
      {shown.length < MOST && <AddTag onAdd={(tag) => onTags([...new Set([...shown, tag])])} />}
    </div>
  )
}

/** Returns whether the default for a new query is not there yet. */
const isStillGuessing = (tags: FacetsProps['tags'], { loading, value }: Loaded<readonly string[]>): boolean =>
  tags === undefined && loading && value?.length === 0

function AddTag({ onAdd }: { onAdd: (tag: string) => void }): JSX.Element {
  const [tag, setTag] = useState('')
  return (
    <form
      class="add-facet"
      onSubmit={(event) => {
        event.preventDefault()
        if (tag.trim() === '') return
        onAdd(tag.trim())
        setTag('')
      }}
    >
      <TagInput label="Count the values of a tag" value={tag} onInput={setTag} required />
      <button type="submit">Count</button>
    </form>
  )
}
