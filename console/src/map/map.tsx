/** Shows the coordinates of all results of a query, counted in squares, on a map of the world. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { nameTag, tagsOf } from '../chart/guess.ts'
import { sampleTags } from '../chart/sample.ts'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { TagInput } from '../parts/tag-input.tsx'
import { go, hrefWith, route } from '../route.ts'
import { pairAmong, type Pair } from './area.ts'
import { Atlas } from './atlas.tsx'
import { usePoints } from './loading.ts'
import './map.css'
import { Progress } from './progress.tsx'

interface MapProps {
  readonly query: string
  readonly onNarrow: (condition: string) => void
}

export default function Map({ query, onNarrow }: MapProps): JSX.Element {
  const { params } = route.value
  const sample = useLoaded((signal) => sampleTags(query, signal), [query])
  if (sample.error !== undefined) return <Problem error={sample.error} again={sample.again} />
  if (sample.value === undefined) return <p class="waiting">Looking for latitudes and longitudes …</p>
  const tags = sample.value.map(({ tag }) => tag)
  const pair = chosenPair(params) ?? pairAmong([...tags, ...tagsOf(query), ...params.getAll('column')])
  if (pair === undefined) {
    return (
      <>
        <p>None of the tags here is named like a latitude and a longitude. Which ones are they?</p>
        <PairForm pair={undefined} onDone={() => undefined} />
      </>
    )
  }
  return (
    <MapOf
      key={`${pair.latitude} ${pair.longitude}`}
      {...{ query, pair, onNarrow }}
      name={nameTag(sample.value)}
    />
  )
}

function chosenPair(params: URLSearchParams): Pair | undefined {
  const [latitude, longitude] = [params.get('lat'), params.get('lon')]
  return latitude === null || longitude === null ? undefined : { latitude, longitude }
}

interface MapOfProps extends MapProps {
  readonly pair: Pair
  readonly name: string | undefined
}

function MapOf({ query, pair, name, onNarrow }: MapOfProps): JSX.Element {
  const arriving = usePoints(query, pair)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <section class="map-of" aria-label="Map">
      <div class="about-map">
        <Progress arriving={arriving} />
        <button
          type="button"
          class="plain"
          aria-expanded={isChoosing}
          onClick={() => setChoosing(!isChoosing)}
        >
          Other tags
        </button>
      </div>
      {isChoosing && <PairForm pair={pair} onDone={() => setChoosing(false)} />}
      {arriving.error !== undefined && <Problem error={arriving.error} again={arriving.again} />}
      <Atlas {...{ pair, name, onNarrow }} points={arriving.loading?.points} isDone={arriving.isDone} />
    </section>
  )
}

/** Chooses the tags of the latitude and the longitude. */
function PairForm({ pair, onDone }: { pair: Pair | undefined; onDone: () => void }): JSX.Element {
  const [latitude, setLatitude] = useState(pair?.latitude ?? '')
  const [longitude, setLongitude] = useState(pair?.longitude ?? '')
  return (
    <form
      class="pair"
      onSubmit={(event) => {
        event.preventDefault()
        onDone()
        go(hrefWith({ lat: latitude.trim(), lon: longitude.trim() }))
      }}
    >
      <TagInput label="Tag of the latitude" value={latitude} onInput={setLatitude} required />
      <TagInput label="Tag of the longitude" value={longitude} onInput={setLongitude} required />
      <button type="submit">Show</button>
    </form>
  )
}
