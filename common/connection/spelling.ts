/** Suggests an existing path for a misspelt one. */
import type { Client } from '../../packages/client/client.ts'
import { nearest } from '../../src/model/misspelt.ts'

/** The existing tag or namespace whose path is most similar to this one. Throws a `ServiceError`. */
export async function nearestPath(
  client: Client,
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const cut = path.lastIndexOf('/') + 1
  // Requests candidates that share the text before the last name, or the beginning of that name.
  const texts = [path.slice(0, cut + 1), path.slice(0, cut), path.slice(cut, cut + 3)]
  const answers = await Promise.all(
    texts
      .filter((text) => text !== '')
      .map((text) =>
        client.GET('/search/suggest', {
          params: { query: { text, limit: 100 } },
          ...(signal && { signal }),
        }),
      ),
  )
  const paths = answers
    .flatMap(({ data }) => data.suggestions)
    .flatMap((one) => ('path' in one ? [one.path] : []))
  return nearest(path, paths, 1)
}
