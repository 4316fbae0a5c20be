/** What a path that is not there was probably meant to be. */
import type { Client } from '../../packages/client/client.ts'
import { nearest } from '../../src/model/misspelt.ts'

/** The tag or namespace whose path is nearly this one. Throws a `ServiceError`. */
export async function nearestPath(
  client: Client,
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const cut = path.lastIndexOf('/') + 1
  // Paths that share with this one what stands before its last name, or the beginning of that name.
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
    .flatMap(({ data }) => data?.suggestions ?? [])
    .flatMap((one) => ('path' in one ? [one.path] : []))
  return nearest(path, paths, 1)
}
