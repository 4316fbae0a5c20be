/** Samples the tags of the results of a query. */
import { sampleOf } from '../service/sample.ts'
import { sampled, tagsOf, type Sampled } from './guess.ts'

/** The tags of some results of a query. Throws a `ServiceError`. */
export const sampleTags = async (query: string, signal: AbortSignal): Promise<readonly Sampled[]> =>
  sampled(await sampleOf(query, signal), tagsOf(query))
