/** Loads and changes a tag or a namespace. */
import { allActions, actionName, type Action } from '../../../common/changing/policies.ts'
import { cellText, type Cell } from '../../../common/values.ts'
import type { Client } from '../../../packages/client/client.ts'
import { explain, type Verdict } from '../permissions/explain.ts'
import { CATEGORIES, fetchPolicies, type PolicyOwner, type Policies } from '../permissions/policies.ts'
import { quoted } from '../query/compose.ts'
import { fetchPage } from '../service/search.ts'
import { client, isRefusal, user } from '../service/service.ts'
import { MOST, suggestPaths, type PathSuggestion } from '../service/suggest.ts'
import { rowKey } from '../tree/rows.ts'

/** The data of a tag or namespace. */
export interface Thing {
  readonly id: string
  readonly description: string
  /** Whether the service indexes the words of a tag's values; undefined for namespaces. */
  readonly indexed: boolean | undefined
}

/** Fetches it. Throws a `ServiceError`; returns undefined for a namespace that the current user may not list. */
export async function fetchThing(
  { path, kind }: PolicyOwner,
  signal?: AbortSignal,
  as: Client = client(),
): Promise<Thing | undefined> {
  const query = { returnDescription: true }
  const aborting = signal && { signal }
  try {
    const { data } =
      kind === 'tag'
        ? await as.GET('/tags/{tag_path}', { params: { path: { tag_path: path }, query }, ...aborting })
        : await as.GET('/namespaces/{namespace_path}', {
            params: { path: { namespace_path: path }, query },
            ...aborting,
          })
    const { id, description = '' } = data
    return { id, description, indexed: 'indexed' in data ? data.indexed : undefined }
  } catch (error) {
    if (isRefusal(error, 'TPathPermissionDenied')) return undefined
    throw error
  }
}

/** Whether the current user may do each action, by name. */
export type Rights = ReadonlyMap<string, Verdict>

/**
 * Returns whether to offer an action: only if the permissions are loaded, and do not forbid it or are unknown to the
 * user.
 */
export const mayOf = (rights: Rights | undefined, name: string): boolean =>
  rights !== undefined && rights.get(name)?.may !== false

/** The actions that the current user may do, as far as known. Throws a `ServiceError`. */
export async function fetchRights(place: PolicyOwner, signal?: AbortSignal): Promise<Rights> {
  const policies: Policies = await fetchPolicies(place, signal)
  const { name, isSuperuser = false } = user.peek() ?? {}
  const verdict = (action: Action): Verdict =>
    explain({ name, isSuperuser }, place.path, action, policies.known.get(actionName(action)))
  return new Map(
    allActions({ categories: CATEGORIES[place.kind] }).map((action) => [actionName(action), verdict(action)]),
  )
}

/** Replaces the description if it is still `before`; otherwise returns the current one. Throws a `ServiceError`. */
export async function describe(
  as: Client,
  place: PolicyOwner,
  before: string,
  description: string,
): Promise<string | undefined> {
  const now = (await fetchThing(place, undefined, as))?.description ?? ''
  if (now !== before) return now
  const { path, kind } = place
  const body = { description }
  if (kind === 'tag') await as.PUT('/tags/{tag_path}', { params: { path: { tag_path: path } }, body })
  else await as.PUT('/namespaces/{namespace_path}', { params: { path: { namespace_path: path } }, body })
  return undefined
}

/** The thing to create, and its namespace. */
export interface Creation {
  readonly kind: PolicyOwner['kind']
  readonly parent: string
  readonly name: string
  readonly description: string
  readonly indexed: boolean
}

/** Creates a tag or a namespace. Throws a `ServiceError`. */
export async function create({ kind, parent, name, description, indexed }: Creation): Promise<void> {
  if (kind === 'tag') {
    const params = { path: { tag_path: parent } }
    await client().POST('/tags/{tag_path}', { params, body: { name, description, indexed } })
  } else {
    const params = { path: { namespace_path: parent } }
    await client().POST('/namespaces/{namespace_path}', { params, body: { name, description } })
  }
}

/** Deletes a tag with all its values, or an empty namespace. Throws a `ServiceError`. */
export async function remove({ path, kind }: PolicyOwner): Promise<void> {
  if (kind === 'tag') await client().DELETE('/tags/{tag_path}', { params: { path: { tag_path: path } } })
  else await client().DELETE('/namespaces/{namespace_path}', { params: { path: { namespace_path: path } } })
}

/** A tag or namespace in a list. */
export interface Details {
  readonly descriptions: ReadonlyMap<string, string>
  readonly counts: ReadonlyMap<string, PathSuggestion>
}

const COLUMNS = {
  namespace: ['service/namespaces/path', 'service/namespaces/description'],
  tag: ['service/tags/path', 'service/tags/description'],
} as const

/** The number of paths that fit into a URL that proxies accept. */
const BATCH = 60

/** Descriptions and counts of the direct content of a namespace, by kind and path. Throws a `ServiceError`. */
export async function fetchDetails(
  parent: string,
  places: readonly PolicyOwner[],
  signal?: AbortSignal,
): Promise<Details> {
  const batches = Array.from({ length: Math.ceil(places.length / BATCH) }, (_, index) =>
    places.slice(index * BATCH, (index + 1) * BATCH),
  )
  const [{ found }, ...described] = await Promise.all([
    suggestPaths(`${parent}/`, signal, { limit: MOST }),
    ...batches.map((batch) => descriptionsOf(batch, signal)),
  ])
  return {
    counts: new Map(found.map((one) => [rowKey(one.kind, one.path), one])),
    descriptions: new Map(described.flat()),
  }
}

async function descriptionsOf(
  batch: readonly PolicyOwner[],
  signal?: AbortSignal,
): Promise<[string, string][]> {
  const query = batch.map(({ kind, path }) => `${COLUMNS[kind][0]} = ${quoted(path)}`).join(' or ')
  const columns = [...COLUMNS.namespace, ...COLUMNS.tag]
  const { results } = await fetchPage({ query, columns, limit: batch.length }, signal)
  return results.flatMap(({ values }) =>
    (['namespace', 'tag'] as const).flatMap((kind): [string, string][] => {
      const [path, description] = COLUMNS[kind].map((column): Cell => values[column])
      return typeof path === 'string' ? [[rowKey(kind, path), cellText(description)]] : []
    }),
  )
}
