/**
 * Loads the coordinates of all results of a query, however many. It divides the query into bands of latitudes with a few
 * thousand objects each, and requests some of them concurrently.
 */
import { both } from '../query/compose.ts'
import { client } from '../service/service.ts'
import { fetchFacets } from '../service/search.ts'
import type { Pair } from './area.ts'
import { bandsOf } from './bands.ts'
import { Collection, type Points } from './collection.ts'

/** The progress of loading. */
export interface Loading {
  readonly points: Points
  /** The number of objects with a latitude. */
  readonly total: number
  /** The number of these that have been requested. */
  readonly asked: number
}

/** The most objects in a band, if their latitudes differ enough. */
const BAND = 4000

/** The number of concurrent requests. */
const TOGETHER = 3

/** The most bins in a request for facets. */
const BINS = 100

/** Loads the coordinates of all results of a query, and reports the progress. Throws a `ServiceError`. */
export async function loadPoints(
  query: string,
  pair: Pair,
  tell: (loading: Loading) => void,
  signal: AbortSignal,
): Promise<Points> {
  const { latitude } = pair
  const { facets } = await fetchFacets({ query, tags: [latitude], top: 0, bins: BINS }, signal)
  const spread = facets.get(latitude)?.numbers
  const bands = spread === undefined ? [] : bandsOf(spread, latitude, BAND)
  const total = bands.reduce((sum, { count }) => sum + count, 0)
  const collected = new Collection(total)
  let asked = 0
  tell({ points: collected.points(), total, asked })
  const waiting = [...bands]
  const work = async (): Promise<void> => {
    for (let band = waiting.shift(); band !== undefined; band = waiting.shift()) {
      await readBand(both(query, band.condition), pair, collected, signal)
      asked += band.count
      tell({ points: collected.points(), total, asked })
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  return collected.points()
}

interface RawValues {
  readonly results: {
    readonly id: Readonly<Record<string, Readonly<Record<string, { readonly value?: unknown }>>>>
  }
}

async function readBand(query: string, pair: Pair, to: Collection, signal: AbortSignal): Promise<void> {
  const { latitude, longitude } = pair
  const { data } = await client().GET('/values', {
    params: { query: { query, tag: [latitude, longitude] } },
    parseAs: 'text',
    signal,
  })
  // Drawing does not need exact numbers.
  const { results } = JSON.parse(data) as RawValues
  for (const [id, values] of Object.entries(results.id)) {
    to.add(id, values[latitude]?.value, values[longitude]?.value)
  }
}
