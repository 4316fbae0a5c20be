/**
 * Where all objects are that a query finds, however many: the query is divided into bands of latitudes with a few thousand
 * objects each, some of which are asked for at the same time.
 */
import { both } from '../query/compose.ts'
import { client } from '../service/service.ts'
import { fetchFacets } from '../service/search.ts'
import type { Pair } from './area.ts'
import { bandsOf } from './bands.ts'
import { Collection, type Points } from './collection.ts'

/** How far loading them is. */
export interface Loading {
  readonly points: Points
  /** How many objects have a latitude. */
  readonly total: number
  /** How many of those have been asked for. */
  readonly asked: number
}

/** A band has so many objects at most, if their latitudes differ enough. */
const BAND = 4000

/** So many requests are under way at the same time. */
const TOGETHER = 3

/** So many bins a request for facets has at most. */
const BINS = 100

/** Loads the places of all that a query finds, and tells how far it is. Throws a `ServiceError`. */
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
  const { data = '' } = await client().GET('/values', {
    params: { query: { query, tag: [latitude, longitude] } },
    parseAs: 'text',
    signal,
  })
  // Numbers to draw by need not be exact.
  const { results } = JSON.parse(data) as RawValues
  for (const [id, values] of Object.entries(results.id)) {
    to.add(id, values[latitude]?.value, values[longitude]?.value)
  }
}
