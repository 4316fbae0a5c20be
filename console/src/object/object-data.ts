/** Loads an object with all values that the caller may read, and their writers. */
import { parseExact } from '../../../packages/client/json.ts'
import { cellOf, type Cell } from '../../../common/values.ts'
import { quoted } from '../query/compose.ts'
import { fetchRecent } from '../recent/recent-data.ts'
import { client, isRefusal } from '../service/service.ts'

/** The name of an object in a URL. */
export type Name = { readonly id: string } | { readonly about: string }

/** A value of a tag. */
export interface TagValue {
  readonly tag: string
  readonly cell: Exclude<Cell, undefined>
  readonly updatedAt: string
  /** Null if the user no longer exists, undefined if unknown: the service tells it only for the latest values. */
  readonly by: string | null | undefined
}

/** An object, or an about value without an object. */
export interface ObjectData {
  readonly id: string | undefined
  readonly about: string | null
  /** Sorted by the paths of their tags. */
  readonly values: readonly TagValue[]
}

interface RawPage {
  readonly results: readonly {
    readonly id: string
    readonly about: string | null
    readonly values: Readonly<Record<string, { readonly 'updated-at': string }>>
  }[]
}

/** Reads an object. Throws a `ServiceError`. */
export async function fetchObject(name: Name, signal: AbortSignal): Promise<ObjectData> {
  const known = await shortName(name, signal)
  const found = known && (await search(known, '*', signal))
  if (found === undefined) return { id: undefined, about: 'about' in name ? name.about : null, values: [] }
  const { id, about, values } = found
  const latest = await fetchRecent({ show: 'object', id }, 100, signal)
  const writers = new Map(latest.map((one) => [`${one.tag} ${one.updatedAt}`, one.by]))
  return {
    id,
    about,
    values: Object.entries(values)
      .map(([tag, entry]) => {
        const updatedAt = entry['updated-at']
        const cell = cellOf(entry) as Exclude<Cell, undefined>
        return { tag, cell, updatedAt, by: writers.get(`${tag} ${updatedAt}`) }
      })
      .toSorted((one, other) => (one.tag < other.tag ? -1 : 1)),
  }
}

/** The time of the current value; undefined if there is none. Throws a `ServiceError`. */
export async function fetchWritten(id: string, tag: string): Promise<string | undefined> {
  return (await search({ id }, tag))?.values[tag]?.['updated-at']
}

async function search(
  name: Name,
  tag: string,
  signal?: AbortSignal,
): Promise<RawPage['results'][number] | undefined> {
  const query = 'id' in name ? `service/id = ${quoted(name.id)}` : `service/about = ${quoted(name.about)}`
  const { data } = await client().GET('/search', {
    params: { query: { query, tag: [tag], limit: 1 } },
    parseAs: 'text',
    ...(signal && { signal }),
  })
  return (parseExact(data) as RawPage).results[0]
}

/** Longer about values may not fit into a query, which has at most 32 KiB. */
const LONG = 4096

/** A name that fits into a query; undefined if no object has a long about value. */
async function shortName(name: Name, signal: AbortSignal): Promise<Name | undefined> {
  if ('id' in name || name.about.length <= LONG) return name
  const path = { about_value: name.about }
  try {
    const { data } = await client().GET('/about/{about_value}', { params: { path }, signal })
    return { id: data.id }
  } catch (error) {
    if (isRefusal(error, 'NoSuchObject')) return undefined
    throw error
  }
}

/** The tags of one namespace. */
export interface Group {
  readonly namespace: string
  readonly values: readonly TagValue[]
}

/** Values grouped by the namespaces of their tags: those of `user` first, those of the service last. */
export function groupsOf(values: readonly TagValue[], user: string | undefined): Group[] {
  const groups = new Map<string, TagValue[]>()
  for (const value of values) {
    const namespace = value.tag.slice(0, value.tag.lastIndexOf('/'))
    groups.set(namespace, [...(groups.get(namespace) ?? []), value])
  }
  const rank = (namespace: string): number => {
    const [owner] = namespace.split('/')
    return owner === user ? 0 : owner === 'service' ? 2 : 1
  }
  return [...groups]
    .map(([namespace, of]) => ({ namespace, values: of }))
    .toSorted(
      (one, other) =>
        rank(one.namespace) - rank(other.namespace) || (one.namespace < other.namespace ? -1 : 1),
    )
}
