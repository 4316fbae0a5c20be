/** Writes and deletes values of many objects, of each on the condition that it still has the values that a change wrote. */
import type { Client } from '../../packages/client/index.ts'
import { toJson } from '../../packages/client/json.ts'
import { queryOf, type Address } from '../connection/addresses.ts'
import { putElements } from '../importing/sending.ts'
import { groupsOf, type Attempt } from './reading.ts'
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
/** The most operators in a query, one for each value and each object. Services accept 1,000. */
const OPERATORS = 900
/**
 * The most conditions in a request to write, and the most characters of those in a URL. The service runs the queries of a
 * request among its writes, for at most 5 seconds.
 */
const ELEMENTS = 100
const LONGEST = 30_000

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
function alike(parts: readonly Part[]): [Part, ...Part[]][] {
  const groups = new Map<string, [Part, ...Part[]]>()
  for (const part of parts) {
    const key = toJson([part.pairs.map(({ tag }) => tag), valuesOf(part)])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [part])
    else group.push(part)
  }
  return [...groups.values()]
}

/** A request for a group of parts. */
interface Element {
  readonly query: string
  readonly tags: readonly string[]
  readonly values: string
}

/** The requests for parts that become the same. */
function elementsOf(parts: readonly [Part, ...Part[]]): Element[] {
  const [first] = parts
  const tags = first.pairs.map(({ tag }) => tag)
  const most = Math.floor(OPERATORS / (tags.length + 1))
  const groups = groupsOf(
    parts,
    (part) => `${conditionOf(part)} or `,
    () => most,
    LONGEST,
  )
  return [...groups].map((group) => ({
    query: group.map(conditionOf).join(' or '),
    tags,
    values: valuesOf(first),
  }))
}

/**
 * Takes parts back, as far as their conditions hold. What is refused stays as it is. Throws errors that concern all
 * values.
 */
export async function takeBackParts(client: Client, attempt: Attempt, parts: readonly Part[]): Promise<void> {
  const elements = alike(parts).flatMap(elementsOf)
  for (const { query, tags } of elements.filter(({ values }) => values === ''))
    await attempt(() => client.DELETE('/values', { params: { query: { query, tag: [...tags] } } }))
  const writes = elements
    .filter(({ values }) => values !== '')
    .map(({ query, values }) => `[${JSON.stringify(query)},{${values}}]`)
  for (const some of groupsOf(
    writes,
    (text) => text,
    () => ELEMENTS,
    LONGEST * 10,
  ))
    await putHalving(client, attempt, some)
}

/** Sends elements, and those before and after the middle again if the service refuses one. */
async function putHalving(client: Client, attempt: Attempt, elements: readonly string[]): Promise<void> {
  const reason = await attempt(() => putElements(client, elements))
  if (reason === undefined || elements.length === 1) return
  const middle = elements.length >> 1
  await putHalving(client, attempt, elements.slice(0, middle))
  await putHalving(client, attempt, elements.slice(middle))
}
