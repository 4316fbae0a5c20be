/** Asks what is wrong with a query, and which of its conditions find something. */
import type { Schemas } from '../../../packages/client/client.ts'
import { client } from '../service/service.ts'

/** Checks a query, and counts as far as to tell some from none. Throws a `ServiceError`. */
export async function check(query: string, signal: AbortSignal): Promise<Schemas['CheckedQuery']> {
  const { data } = await client().POST('/search/check', { body: { query, countUpTo: 1 }, signal })
  return data ?? { valid: false, nodes: [] }
}
