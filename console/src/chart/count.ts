/** Counts of the values of one tag, on the scale that shows most of them. */
import type { Facet } from '../service/facet.ts'
import { fetchFacets } from '../service/search.ts'
import { scaleOf } from './range.ts'
import type { Scale } from './scale.ts'

/** What was counted. */
export interface Counts {
  /** How many objects the query matches. */
  readonly count: number
  readonly facet: Facet
  readonly scale: Scale
}

/** What to count. */
export interface Asked {
  readonly query: string
  readonly tag: string
  /** How many of the most frequent values. */
  readonly top: number
  readonly bins: number
  /** The scale that somebody has chosen. */
  readonly chosen: string | undefined
}

/** Counts, and counts once more where a scale that nobody has chosen shows more. */
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
