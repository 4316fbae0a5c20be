/** Requests the errors of a query, and the number of matches of each condition. */
import type { Schemas } from '../../../packages/client/contract.ts'
import { client } from '../service/service.ts'

/** Checks a query, and counts the matches of each condition up to `countUpTo`. Throws a `ServiceError`. */
export async function check(
  query: string,
  countUpTo: number,
  signal: AbortSignal,
): Promise<Schemas['CheckedQuery']> {
  const { data } = await client().POST('/search/check', { body: { query, countUpTo }, signal })
  return data
}
