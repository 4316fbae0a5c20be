/** What the tags of the objects that a query finds are like. */
import { sampleOf } from '../service/sample.ts'
import { sampled, tagsOf, type Sampled } from './guess.ts'

/** The tags of some objects that a query finds. Throws a `ServiceError`. */
export const sampleTags = async (query: string, signal: AbortSignal): Promise<readonly Sampled[]> =>
  sampled(await sampleOf(query, signal), tagsOf(query))
