/** A few of the objects that a query finds, for what their tags are like. */
import { fetchPage } from '../service/search.ts'
import { sampled, tagsOf, type Sampled } from './guess.ts'

/** So many objects are looked at. */
const SAMPLE = 50

/** The tags of some objects that a query finds. Throws a `ServiceError`. */
export async function sampleTags(query: string, signal: AbortSignal): Promise<readonly Sampled[]> {
  const { results } = await fetchPage({ query, columns: ['*'], limit: SAMPLE }, signal)
  return sampled(results, tagsOf(query))
}
