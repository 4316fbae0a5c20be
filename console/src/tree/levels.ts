/** What is in a namespace, and which namespaces are at the top, as far as the asker may see that. */
import { faultsOf } from '../../../shared/connection/access.ts'
import { ANONYMOUS_USER } from '../../../src/data/store/tables.ts'
import { anonymous, client, isRefusal } from '../service/service.ts'
import { fetchPage } from '../service/search.ts'
import { MOST, suggestPaths } from '../service/suggest.ts'
import { keyOf, type Level } from './rows.ts'

/** What is in the namespace. Throws a `ServiceError`. */
export async function fetchLevel(path: string, signal?: AbortSignal): Promise<Level> {
  const level = await contentsOf(path, signal)
  return { ...level, locked: await lockedIn(path, level, signal) }
}

type Contents = Omit<Level, 'locked'>

async function contentsOf(path: string, signal?: AbortSignal): Promise<Contents> {
  try {
    const { data } = await client().GET('/namespaces/{namespace_path}', {
      params: { path: { namespace_path: path }, query: { returnNamespaces: true, returnTags: true } },
      ...(signal && { signal }),
    })
    return {
      namespaces: (data?.namespaceNames ?? []).map((name) => `${path}/${name}`),
      tags: (data?.tagNames ?? []).map((name) => `${path}/${name}`),
      listed: true,
    }
  } catch (error) {
    if (!isRefusal(error, 'TPathPermissionDenied')) throw error
    return seenIn(path, signal)
  }
}

/** What of a namespace is seen by those who may not list it: tags that they may read, and the namespaces above these. */
async function seenIn(path: string, signal?: AbortSignal): Promise<Contents> {
  const { found } = await suggestPaths(`${path}/`, signal, { limit: MOST })
  const namespaces = new Set<string>()
  const tags: string[] = []
  for (const { kind, path: seen } of found.filter((one) => one.path.startsWith(`${path}/`))) {
    const end = seen.indexOf('/', path.length + 1)
    if (end >= 0) namespaces.add(seen.slice(0, end))
    else if (kind === 'namespace') namespaces.add(seen)
    else tags.push(seen)
  }
  return { namespaces: [...namespaces].sort(), tags: tags.sort(), listed: false }
}

/**
 * What the anonymous user may not see: tags by asking for all at once; namespaces by what is suggested to them, if that is
 * everything.
 */
async function lockedIn(
  path: string,
  { namespaces, tags }: Contents,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const faults = tags.length === 0 ? [] : await faultsOf(anonymous, tags, signal)
  const locked = tags
    .filter((_, index) => faults[index] === 'TPathPermissionDenied')
    .map((tag) => keyOf('tag', tag))
  return new Set([...locked, ...(await unlistedOf(path, namespaces, signal))])
}

async function unlistedOf(
  path: string,
  namespaces: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (namespaces.length === 0) return []
  const { found, complete } = await suggestPaths(`${path}/`, signal, { limit: MOST, by: anonymous })
  if (!complete) return []
  const open = new Set(found.filter(({ kind }) => kind === 'namespace').map((one) => one.path))
  return namespaces.filter((one) => !open.has(one)).map((one) => keyOf('namespace', one))
}

/** Some of the top-level namespaces, which are those of users, and where the following ones begin. */
export interface Roots {
  readonly paths: readonly string[]
  readonly next: string | undefined
}

/** Users in the order of their names. */
const USERNAME = 'service/users/username'

/** A page of the top-level namespaces, by name. Throws a `ServiceError`. */
export async function fetchRoots(cursor: string | undefined, signal?: AbortSignal): Promise<Roots> {
  const asked = { query: `has ${USERNAME}`, columns: [USERNAME], sort: USERNAME, limit: MOST }
  const { results, next } = await fetchPage({ ...asked, cursor }, signal)
  const names = results.map(({ values }) => values[USERNAME]).filter((name) => typeof name === 'string')
  // Nothing is ever in the namespace of the anonymous user.
  return { paths: names.filter((name) => name !== ANONYMOUS_USER.username), next }
}
