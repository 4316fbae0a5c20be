/** Writes and deletes values of many objects, of each on the condition that it still has the values that a change wrote. */
import type { Client } from '../../packages/client/index.ts'
import { toJson } from '../../packages/client/json.ts'
import { queryOf, type Address } from '../connection/addresses.ts'
import { groupsOf, LONGEST_QUERY } from '../connection/url-groups.ts'
import { Failure } from '../failure.ts'
import { putElements } from '../importing/sending.ts'
import type { Attempt } from './reading.ts'
import { literalOf, textOf, type PrimitiveState } from './states.ts'

/** A value that a query can test, and the state to which it is taken back. */
export interface Pair {
  readonly tag: string
  readonly before: null | PrimitiveState
  readonly after: null | PrimitiveState
}

/** An object, and some of its values. */
export interface Part {
  readonly target: Address
  readonly pairs: readonly Pair[]
}

/** The most values of an object in a condition. */
const PAIRS = 20
/** The most operators in a query, comparisons among them: two for each value and each object. Services accept 1,000. */
const OPERATORS = 900
/**
 * The most conditions in a request to write, and the most characters of those that share one query, and of all. The service
 * runs the queries of a request among its writes, for at most 5 seconds.
 */
const ELEMENTS = 100
const LONGEST_IN_BODY = 30_000
const LONGEST_BODY = 120_000

/** Parts with at most 20 values, all of which are to be deleted or all to be written. */
export const partsOf = (target: Address, pairs: readonly Pair[]): Part[] =>
  [pairs.filter(({ before }) => before === null), pairs.filter(({ before }) => before !== null)].flatMap(
    (some) =>
      Array.from({ length: Math.ceil(some.length / PAIRS) }, (_, index) => ({
        target,
        pairs: some.slice(index * PAIRS, (index + 1) * PAIRS),
      })),
  )

/** The condition that the object still has what the change wrote. */
function conditionOf({ target, pairs }: Part): string {
  const absent = pairs.filter(({ after }) => after === null).map(({ tag }) => ` except has ${tag}`)
  const equal = pairs.flatMap(({ tag, after }) =>
    after === null ? [] : ` and ${tag} = ${literalOf(after) ?? ''}`,
  )
  return `(${queryOf(target)}${absent.join('')}${equal.join('')})`
}

/** The states before, as the values of an element of PUT /values; empty if they are to be deleted. */
const valuesOf = ({ pairs }: Part): string =>
  pairs
    .flatMap(({ tag, before }) =>
      before === null ? [] : `${JSON.stringify(tag)}:{"value":${textOf(before)}}`,
    )
    .join()

/** Parts that become the same: they have the same values before. */
function alike(parts: readonly Part[]): Group[] {
  const groups = new Map<string, [Part, ...Part[]]>()
  for (const part of parts) {
    const key = toJson([part.pairs.map(({ tag }) => tag), valuesOf(part)])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [part])
    else group.push(part)
  }
  return [...groups.values()]
}

/** Parts that become the same, and share a query. */
type Group = readonly [Part, ...Part[]]

/** Divides parts that become the same, so that a query holds each group. */
function* inQueries(parts: Group): Generator<Group> {
  const most = Math.floor(OPERATORS / (2 * (parts[0].pairs.length + 1)))
  const textOfPart = (part: Part): string => `${conditionOf(part)} or `
  // The query of a DELETE is in its URL.
  const longest = isRemoval(parts) ? LONGEST_QUERY : LONGEST_IN_BODY
  for (const group of groupsOf(parts, textOfPart, () => most, longest)) yield group as unknown as Group
}

const isRemoval = ([part]: Group): boolean => valuesOf(part) === ''

const queryFor = (parts: Group): string => parts.map(conditionOf).join(' or ')

/**
 * Takes parts back, as far as their conditions hold. Throws errors that concern all values, and a `Failure` if the service
 * refuses a single part.
 */
export async function takeBackParts(client: Client, attempt: Attempt, parts: readonly Part[]): Promise<void> {
  const groups = alike(parts).flatMap((some) => [...inQueries(some)])
  for (const group of groups.filter(isRemoval)) await sendHalving([group], attempt, removing(client))
  const writes = groups.filter((group) => !isRemoval(group))
  for (const some of groupsOf(writes, queryFor, () => ELEMENTS, LONGEST_BODY))
    await sendHalving(some, attempt, writing(client))
}

type Send = (groups: readonly Group[]) => Promise<unknown>

const removing =
  (client: Client): Send =>
  async (groups) => {
    for (const group of groups) {
      const tag = group[0].pairs.map((pair) => pair.tag)
      await client.DELETE('/values', { params: { query: { query: queryFor(group), tag } } })
    }
  }

const writing =
  (client: Client): Send =>
  (groups) =>
    putElements(
      client,
      groups.map((group) => `[${JSON.stringify(queryFor(group))},{${valuesOf(group[0])}}]`),
    )

/** Sends groups. If the service refuses that, for example because it takes too long, it sends halves, down to one part. */
async function sendHalving(groups: readonly Group[], attempt: Attempt, send: Send): Promise<void> {
  const reason = await attempt(() => send(groups))
  if (reason === undefined) return
  const halves = halvesOf(groups)
  if (halves === undefined) throw new Failure(reason, 'run it again, or take the values back by hand')
  for (const half of halves) await sendHalving(half, attempt, send)
}

/** Two halves of the groups, or of the only group; undefined for a single part. */
function halvesOf(groups: readonly Group[]): (readonly Group[])[] | undefined {
  const halved = <T>(items: readonly T[]): T[][] => {
    const middle = items.length >> 1
    return [items.slice(0, middle), items.slice(middle)]
  }
  if (groups.length > 1) return halved(groups)
  const [only = []] = groups
  return only.length > 1 ? halved(only).map((part) => [part as unknown as Group]) : undefined
}
