/** Asks what is wrong with a query, and which of its conditions find something. */
import type { Schemas } from '../../../packages/client/client.ts'
import { client } from '../service/service.ts'

/** Checks a query, and counts what each condition finds up to `countUpTo`. Throws a `ServiceError`. */
export async function check(
  query: string,
  countUpTo: number,
  signal: AbortSignal,
): Promise<Schemas['CheckedQuery']> {
  const { data } = await client().POST('/search/check', { body: { query, countUpTo }, signal })
  return data ?? { valid: false, nodes: [] }
}
