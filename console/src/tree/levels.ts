/** Loads the content of namespaces, and the top-level namespaces, as far as the current user may see them. */
import { faultsOf } from '../../../common/connection/access.ts'
import { ANONYMOUS_USER } from '../../../src/data/store/tables.ts'
import { anonymous, client, isRefusal } from '../service/service.ts'
import { fetchPage } from '../service/search.ts'
import { MOST, suggestPaths } from '../service/suggest.ts'
import { rowKey, type Level } from './rows.ts'

/** The content of the namespace. Throws a `ServiceError`. */
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
      namespaces: (data.namespaceNames ?? []).map((name) => `${path}/${name}`),
      tags: (data.tagNames ?? []).map((name) => `${path}/${name}`),
      listed: true,
    }
  } catch (error) {
    if (!isRefusal(error, 'TPathPermissionDenied')) throw error
    return seenIn(path, signal)
  }
}

/**
 * The visible part of a namespace that the user may not list: tags that the user may read, and the namespaces above
 * these.
 */
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
 * The entries that the anonymous user may not see: for tags it checks all at once; for namespaces it uses the anonymous
 * user's suggestions, if they are complete.
 */
async function lockedIn(
  path: string,
  { namespaces, tags }: Contents,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const faults = tags.length === 0 ? [] : await faultsOf(anonymous, tags, signal)
  const locked = tags
    .filter((_, index) => faults[index] === 'TPathPermissionDenied')
    .map((tag) => rowKey('tag', tag))
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
  return namespaces.filter((one) => !open.has(one)).map((one) => rowKey('namespace', one))
}

/** Some of the top-level namespaces, which belong to users, and the cursor of the next ones. */
export interface Roots {
  readonly paths: readonly string[]
  readonly next: string | undefined
}

/** Finds users in the order of their names. */
const USERNAME = 'service/users/username'

/** A page of the top-level namespaces, by name. Throws a `ServiceError`. */
export async function fetchRoots(cursor: string | undefined, signal?: AbortSignal): Promise<Roots> {
  const asked = { query: `has ${USERNAME}`, columns: [USERNAME], sort: USERNAME, limit: MOST }
  const { results, next } = await fetchPage({ ...asked, cursor }, signal)
  const names = results.map(({ values }) => values[USERNAME]).filter((name) => typeof name === 'string')
  // The namespace of the anonymous user is always empty.
  return { paths: names.filter((name) => name !== ANONYMOUS_USER.username), next }
}
