/** Tests the effects of the first rows of an import before it begins. */
import { faultsOf } from '../../../common/connection/access.ts'
import { queryOf } from '../../../common/connection/addresses.ts'
import { Converter, noFile, type Ready } from '../../../common/importing/converting.ts'
import type { Row } from '../../../common/importing/fields.ts'
import { writtenIn, type Mapping } from '../../../common/importing/mapping.ts'
import { objectsIn } from '../../../common/importing/objects.ts'
import { chosenRows } from '../../../common/importing/repeats.ts'
import { Refusal, type RefusedRow } from '../../../common/importing/refusals.ts'
import { Sender } from '../../../common/importing/sending.ts'
import { rehearse } from '../change/rehearsal.ts'
import type { Found } from '../service/page.ts'
import { fetchPage } from '../service/search.ts'
import { client } from '../service/service.ts'

/** The number of rows that the page shows and tests. */
export const FIRST = 50

/** The result of a test. */
export interface Trial {
  /** The number of rows that the import would write. */
  readonly written: number
  readonly refused: readonly RefusedRow[]
  /** The number of their objects, and the number of those that already exist. */
  readonly objects: number
  readonly existing: number
  /** The number of values that the import would replace, by tag. */
  readonly replaced: ReadonlyMap<string, number>
  /** The tags that the import would create. */
  readonly made: readonly string[]
  /** The tags whose current values the user may not read, so that the effect is unknown. */
  readonly unreadable: readonly string[]
}

/** The rows that can be sent, and those that the mapping refuses. */
export function convert(rows: readonly Row[], mapping: Mapping): { ready: Ready[]; refused: RefusedRow[] } {
  const converter = new Converter(mapping, noFile)
  const ready: Ready[] = []
  const refused: RefusedRow[] = []
  for (const row of rows) {
    const result = converter.convert(row)
    if (result instanceof Refusal) refused.push({ row, reason: result.reason })
    else ready.push(result)
  }
  return { ready, refused }
}

/** Tests rows without writing them. Throws an error that concerns all of them. */
export async function tryRows(rows: readonly Row[], mapping: Mapping, signal: AbortSignal): Promise<Trial> {
  const chosen = chosenRows(each(rows), mapping, await objectsIn(rows, mapping.object))
  const { ready, refused } = convert(await Array.fromAsync(chosen), mapping)
  const asked = client()
  const sender = new Sender({
    put: (elements) => {
      signal.throwIfAborted()
      return rehearse(asked, elements)
    },
    isAway: () => false,
    reasonOf: ({ message }) => message,
    signal,
    waiting: () => undefined,
  })
  const refusedThere = await sender.send(ready)
  const effect = await effectOf(ready, mapping, signal)
  return { ...effect, written: ready.length - refusedThere.length, refused: [...refused, ...refusedThere] }
}

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}

async function effectOf(
  ready: readonly Ready[],
  mapping: Mapping,
  signal: AbortSignal,
): Promise<Omit<Trial, 'written' | 'refused'>> {
  const tags = writtenIn(mapping).map(({ tag }) => tag)
  const faults = await faultsOf(client(), tags)
  const readable = tags.filter((_, index) => faults[index] === undefined)
  const made = tags.filter((_, index) => faults[index] === 'TNonexistentTag')
  const unreadable = tags.filter((tag) => !readable.includes(tag) && !made.includes(tag))
  const written = new Map<string, Set<string>>()
  for (const { target, element } of ready) {
    const [, values] = JSON.parse(element) as [string, object]
    const query = queryOf(target)
    written.set(query, new Set([...(written.get(query) ?? []), ...Object.keys(values)]))
  }
  const replaced = new Map<string, number>()
  let existing = 0
  for await (const { id, about, values } of present([...written.keys()], readable, signal)) {
    existing += 1
    const tagsOf = written.get(queryOf(about === null ? { id } : { about })) ?? written.get(queryOf({ id }))
    for (const tag of Object.keys(values))
      if (tagsOf?.has(tag)) replaced.set(tag, (replaced.get(tag) ?? 0) + 1)
  }
  return { objects: written.size, existing, replaced, made, unreadable }
}

/** The most characters of conditions in a request: a query may have about twice as many octets. */
const LONGEST = 15_000

/** Yields the objects that exist, with their values. */
async function* present(
  queries: readonly string[],
  columns: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Found> {
  let some: string[] = []
  let length = 0
  const find = async (): Promise<readonly Found[]> => {
    const query = some.join(' or ')
    some = []
    length = 0
    return query === '' ? [] : (await fetchPage({ query, columns, limit: FIRST }, signal)).results
  }
  for (const query of queries) {
    if (length + query.length > LONGEST) yield* await find()
    some.push(query)
    length += query.length
  }
  yield* await find()
}
