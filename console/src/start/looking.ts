/** The requests of the start page. They are few, and cost the same in stores of any size. */
import { fetchPage } from '../service/search.ts'
import { client, isRefusal } from '../service/service.ts'
import { examplesOf, type Example, type KnownTag } from './examples.ts'

/** The number of things. */
export interface Total {
  readonly count: number
  /** Whether the number is exact. */
  readonly exact: boolean
}

/** The limit of the counts. */
const COUNTED = 1_000_000

/** The number of objects with this tag of the service. Throws a `ServiceError`. */
export async function fetchTotal(tag: string, signal: AbortSignal): Promise<Total> {
  try {
    const page = await fetchPage({ query: `has ${tag}`, columns: [], limit: 1, count: 'exact' }, signal)
    return { count: page.count ?? 0, exact: page.exact }
  } catch (error) {
    if (isRefusal(error, 'TooManyObjects', 'QueryTooCostly')) return { count: COUNTED, exact: false }
    throw error
  }
}

/** The tags and namespaces of users that the caller may see. */
export interface Known {
  /** The most used first. */
  readonly tags: readonly KnownTag[]
  /** The top-level namespaces. */
  readonly namespaces: ReadonlySet<string>
}

/** Throws a `ServiceError`. */
export async function fetchKnown(signal: AbortSignal): Promise<Known> {
  const { data } = await client().GET('/search/suggest', { params: { query: { limit: 100 } }, signal })
  const found = data.suggestions.flatMap((one) =>
    'path' in one && !/^(service|anon)(\/|$)/.test(one.path) ? [one] : [],
  )
  const tags = found
    .filter(({ kind, count }) => kind === 'tag' && count > 0)
    .map(({ path, count }) => ({ path, count }))
    .sort((one, other) => other.count - one.count)
  const namespaces = found.flatMap(({ path }) => path.split('/').slice(0, 1))
  return { tags, namespaces: new Set(namespaces) }
}

/** The number of tags, and the number of objects, that the page samples. */
const [TAGS, OBJECTS] = [12, 25]

/** Four queries with results in any store. Throws a `ServiceError`. */
export async function fetchExamples({ tags }: Known, signal: AbortSignal): Promise<readonly Example[]> {
  const [most] = tags
  if (most === undefined) return examplesOf([], [])
  const looked = [...tags.slice(0, TAGS)]
  const { results } = await fetchPage(
    { query: `has ${most.path}`, columns: looked.map(({ path }) => path), limit: OBJECTS },
    signal,
  )
  return examplesOf(looked, results)
}

/**
 * The number of results of a query if its count is cheap; undefined if it is not, or if the caller may not run the query.
 */
export async function fetchFound(query: string, signal: AbortSignal): Promise<Total | undefined> {
  const { data } = await client().POST('/search/check', { body: { query, countUpTo: 10_000 }, signal })
  const [whole] = data.nodes
  if (!data.valid || whole?.count === undefined) return undefined
  return { count: whole.count, exact: whole.exact ?? false }
}

/** A value that a user wrote. */
export interface Change {
  readonly about: string | null
  readonly id: string
  readonly tag: string
  readonly username: string | null
  readonly at: string
}

/** The latest values by users. Throws a `ServiceError`. */
export async function fetchChanges(signal: AbortSignal): Promise<readonly Change[]> {
  const query = 'has service/users/username except service/users/username = "service"'
  const { data } = await client().GET('/recent/users', { params: { query: { query, limit: 5 } }, signal })
  return data.map(({ about, id, tag, username, 'updated-at': at }) => ({
    about,
    id,
    tag,
    username,
    at,
  }))
}
