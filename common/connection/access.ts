/** Finds the tags that a user may not read, many per request. */
import type { Client } from '../../packages/client/client.ts'

/** The most octets, and the most tags, in a query. */
const LONGEST_QUERY = 30_000
const MOST_TAGS = 400

/**
 * The class of the error that the service gives for each tag in a query, such as `TPathPermissionDenied`; undefined for a
 * tag that the user may read.
 */
export async function faultsOf(
  client: Client,
  tags: readonly string[],
  signal?: AbortSignal,
): Promise<(string | undefined)[]> {
  const faults: (string | undefined)[] = []
  for (const part of inQueries(tags)) {
    const query = part.map((tag) => `has ${tag}`).join(' or ')
    const { data } = await client.POST('/search/check', {
      body: { query, countUpTo: 0 },
      ...(signal && { signal }),
    })
    const conditions = data.nodes.filter((node) => node.kind === 'condition')
    faults.push(...part.map((_, index) => conditions[index]?.error?.class))
  }
  return faults
}

/** Groups tags so that each group fits into one query. */
function inQueries(tags: readonly string[]): string[][] {
  const parts: string[][] = []
  let length = Infinity
  for (const tag of tags) {
    const more = new TextEncoder().encode(tag).length + ' or has '.length
    const part = parts.at(-1)
    if (part === undefined || part.length === MOST_TAGS || length + more > LONGEST_QUERY) {
      parts.push([tag])
      length = more
    } else {
      part.push(tag)
      length += more
    }
  }
  return parts
}
