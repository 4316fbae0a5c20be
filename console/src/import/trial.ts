/** What the first rows of an import would do, before it begins. */
import { faultsOf } from '../../../shared/connection/access.ts'
import { queryOf } from '../../../shared/connection/addresses.ts'
import { Converter, Refusal, type Ready } from '../../../shared/importing/converting.ts'
import type { Row } from '../../../shared/importing/fields.ts'
import { writtenIn, type Mapping } from '../../../shared/importing/mapping.ts'
import type { RefusedRow } from '../../../shared/importing/refusals.ts'
import { Sender } from '../../../shared/importing/sending.ts'
import { rehearse } from '../change/rehearsal.ts'
import type { Found } from '../service/page.ts'
import { fetchPage } from '../service/search.ts'
import { client } from '../service/service.ts'

/** So many rows are shown, and tried. */
export const FIRST = 50

/** What came of it. */
export interface Trial {
  /** How many rows would be written. */
  readonly written: number
  readonly refused: readonly RefusedRow[]
  /** How many objects they are about, and how many of those are in the store already. */
  readonly objects: number
  readonly existing: number
  /** How many values would be replaced by others, by tag. */
  readonly replaced: ReadonlyMap<string, number>
  /** The tags that would be made. */
  readonly made: readonly string[]
  /** The tags whose present values may not be read, so that nobody can tell. */
  readonly unreadable: readonly string[]
}

/** Rows that can be sent, and those that cannot, by the mapping alone. */
export function convert(rows: readonly Row[], mapping: Mapping): { ready: Ready[]; refused: RefusedRow[] } {
  const converter = new Converter(mapping, () => undefined)
  const ready: Ready[] = []
  const refused: RefusedRow[] = []
  for (const row of rows) {
    const result = converter.convert(row)
    if (result instanceof Refusal) refused.push({ row, reason: result.reason })
    else ready.push(result)
  }
  return { ready, refused }
}

/** Tries rows; nothing of it stays. Throws what forbids them all. */
export async function tryRows(rows: readonly Row[], mapping: Mapping, signal: AbortSignal): Promise<Trial> {
  const { ready, refused } = convert(rows, mapping)
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

/** So many characters of conditions are asked at once: a query may have about twice as many octets. */
const LONGEST = 15_000

/** Those of the objects that are in the store, with values. */
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
