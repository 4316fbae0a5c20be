/** Determines the effects of a change of many objects, and makes the change. */
import { among, EXAMPLES } from '../../../common/changing/change.ts'
import { faultsOf } from '../../../common/connection/access.ts'
import { toJson } from '../../../packages/client/json.ts'
import type { Cell } from '../../../common/values.ts'
import { equals } from '../query/compose.ts'
import type { Found } from '../service/page.ts'
import { fetchPage } from '../service/search.ts'
import { client } from '../service/service.ts'
import { randomId, rehearse } from './rehearsal.ts'

/** A change of one tag on all objects that a query matches: the value to set, or undefined to take it off. */
export interface Change {
  readonly query: string
  readonly tag: string
  readonly value: Cell
}

/** The state before the change. */
export interface Before {
  /** The number of objects that the query matches. */
  readonly count: number
  /** The number of these with the tag, and the number with the same value; undefined if the service does not tell. */
  readonly present: number | undefined
  readonly same: number | undefined
  /** Whether the change would create the tag. */
  readonly isNew: boolean
  readonly examples: readonly Found[]
  /** The query that finds exactly the changed objects, for an undo; undefined if there is none. */
  readonly undo: string | undefined
}

/** Determines the effects of a change. Throws the `ServiceError` with which the service would refuse it. */
export async function foresee(change: Change, signal: AbortSignal): Promise<Before> {
  const { query, tag, value } = change
  await permit(change)
  signal.throwIfAborted()
  const [fault] = await faultsOf(client(), [tag])
  const isNew = fault === 'TNonexistentTag'
  const only = value === undefined ? among(query, `has ${tag}`) : query
  const columns = fault === undefined ? [tag] : []
  const page = { columns, limit: EXAMPLES, sort: 'service/about', count: 'exact' }
  const { count = 0, results } = await fetchPage({ query: only, ...page }, signal)
  const countOf = async (condition: string): Promise<number | undefined> => {
    if (fault !== undefined) return isNew ? 0 : undefined
    return countMatches(among(query, condition), signal)
  }
  const condition = value === undefined ? undefined : equals(tag, value)
  const present = value === undefined ? count : await countOf(`has ${tag}`)
  const same = condition === undefined ? undefined : await countOf(condition)
  const isExact = present === 0 && condition !== undefined && !names(query, tag)
  return {
    count,
    present,
    same,
    isNew,
    examples: results,
    undo: isExact ? among(query, condition) : undefined,
  }
}

async function countMatches(query: string, signal?: AbortSignal): Promise<number | undefined> {
  return (await fetchPage({ query, columns: [], limit: 1, count: 'exact' }, signal)).count
}

/** Returns whether the state has changed since the forecast. */
export const differ = (seen: Before, now: Before): boolean =>
  seen.count !== now.count ||
  seen.present !== now.present ||
  seen.same !== now.same ||
  seen.isNew !== now.isNew

/**
 * Makes a change. If the change should overwrite no value, it leaves out objects that another user has just given one.
 */
export async function make({ query, tag, value }: Change, { present, isNew }: Before): Promise<void> {
  if (value === undefined) {
    await client().DELETE('/values', { params: { query: { query, tag: [tag] } } })
  } else {
    // A query cannot name a tag that does not exist yet.
    const only = present === 0 && !isNew ? `(${query}\n) except has ${tag}` : query
    await client().PUT('/values', {
      body: { queries: [[only, { [tag]: { value } }]] } as never,
    })
  }
}

/** Undoes a change. Returns false, and does nothing, if another change has occurred since. */
export async function takeBack(undo: string, { tag }: Change, count: number): Promise<boolean> {
  if ((await countMatches(undo)) !== count) return false
  await client().DELETE('/values', { params: { query: { query: undo, tag: [tag] } } })
  return true
}

/** Throws the error that would refuse the change, without changing data: its request finds no object. */
async function permit({ tag, value }: Change): Promise<void> {
  const query = `service/id = "${randomId()}"`
  if (value === undefined) {
    await client().DELETE('/values', { params: { query: { query, tag: [tag] } } })
  } else await rehearse(client(), [toJson([query, { [tag]: { value } }])])
}

/** Returns whether a query may name a tag: after the change it could then match other objects. */
const names = (query: string, tag: string): boolean => query.toLowerCase().includes(tag.toLowerCase())
