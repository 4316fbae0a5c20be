/** Counts the values of one tag, with the most informative scale. */
import type { Facet } from '../service/facet.ts'
import { fetchFacets } from '../service/search.ts'
import { scaleOf } from './range.ts'
import type { Scale } from './scale.ts'

/** The counts. */
export interface Counts {
  /** The number of objects that the query matches. */
  readonly count: number
  readonly facet: Facet
  readonly scale: Scale
}

/** The arguments of a count. */
export interface Asked {
  readonly query: string
  readonly tag: string
  /** The number of most frequent values. */
  readonly top: number
  readonly bins: number
  /** The scale that the user has chosen. */
  readonly chosen: string | undefined
}

/** Counts, and counts again if the user has chosen no scale and another scale is more informative. */
export async function countValues(
  { query, tag, top, bins, chosen }: Asked,
  signal: AbortSignal,
): Promise<Counts> {
  const count = async (scale: Scale): Promise<Counts> => {
    const { count: all, facets } = await fetchFacets({ query, tags: [tag], top, bins, scale }, signal)
    return { count: all, facet: facets.get(tag) ?? NOTHING, scale }
  }
  const counts = await count(chosen === 'logarithmic' ? 'logarithmic' : 'linear')
  const scale = scaleOf(chosen, counts.facet.numbers)
  return scale === counts.scale ? counts : count(scale)
}

const NOTHING: Facet = { objects: 0, types: {}, top: [], items: [], numbers: undefined }
