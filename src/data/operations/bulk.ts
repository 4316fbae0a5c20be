/** Sets values on all objects that queries match, element by element, for PUT /values. */
import { ServiceError } from '../../model/errors.ts'
import { aboutOf, type Query } from '../../query/ast.ts'
import type { Primitive } from '../../model/tag-value.ts'
import { runYielding, yieldsAfter } from '../../scheduling/yielding.ts'
import { idBytes, type ObjectId } from '../database/ids/ids.ts'
import { tagAt } from '../permissions/permissions.ts'
import type { PermittedTags } from '../permissions/rights.ts'
import { permitObjectCreation } from '../permissions/user-rights.ts'
import { permitSearch, search, type Observe } from '../search/search.ts'
import type { WriteTx } from '../store/views.ts'
import { objectsAbout, readAboutValue, type AboutObject } from '../entities/objects.ts'
import { ensureTags } from '../entities/tags.ts'
import { Encoded } from '../values/encoding.ts'
import { writeValuesOnAll } from '../writing/set-writing.ts'
import { writeValues, type Setting } from '../writing/writing.ts'
import type { FoundBefore } from './found-before.ts'

/** A query, and the values to set on every object that it matches, by folded tag path. */
export interface Element {
  readonly query: Query
  readonly values: ReadonlyMap<string, Encoded>
}

/** How many different values the encoder remembers, and their maximum length, in characters of their JSON. */
const [REMEMBERED, REMEMBERED_LENGTH] = [1_000, 64]

/**
 * Returns a function that encodes the values of elements, and encodes a repeated short value only once: many tags have a few
 * values on most objects. It needs no store, so call it before a transaction blocks other writers.
 */
export function encoder(): (primitive: Primitive) => Encoded {
  const remembered = new Map<string, Encoded>()
  return (primitive) => {
    const { json } = primitive
    if (json.length > REMEMBERED_LENGTH) return new Encoded(primitive)
    const known = remembered.get(json)
    if (known !== undefined) return known
    const value = new Encoded(primitive)
    if (remembered.size < REMEMBERED) remembered.set(json, value)
    return value
  }
}

/** Options for applying elements. */
export interface Applying {
  /** As for `search`. */
  readonly observe: Observe
  /** The objects that were found before the transaction. */
  readonly found: FoundBefore
  /** How many octets all elements may write: each value, once for every write, and the exceptions that new tags copy. */
  readonly maxWriteBytes: number
}

/**
 * Applies elements in order; each one sees the writes of the earlier ones. Throws `TooManyObjects` with the query of the
 * element that exceeds `maxWriteBytes`.
 */
export async function setValues<V>(
  tx: WriteTx<V>,
  elements: readonly Element[],
  { observe, found, maxWriteBytes }: Applying,
): Promise<void> {
  const budget = new WriteBudget(maxWriteBytes)
  let start = 0
  while (start < elements.length) {
    const run = addressedRun(elements, start)
    if (run.length > 0) await setAddressed(tx, run, budget)
    else await setByQuery(tx, elements[start] as Element, { observe, found, budget })
    start += Math.max(run.length, 1)
  }
}

/** How many octets a value counts for at least: its row takes no less. */
export const LEAST_BYTES = 64
/** How many octets an exception counts for that a new tag or namespace copies: a row and an entry in an index. */
const EXCEPTION_BYTES = 32

/** How many octets a request may still write. */
class WriteBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Spends the octets of a value on each of `objects` objects. Throws `TooManyObjects` with the query. */
  spend(query: Query, { content }: Encoded, objects: number): void {
    this.#spend(query, Math.max(content.length, LEAST_BYTES) * objects)
  }

  /** Spends the octets of exceptions that are copied for a query. Throws as `spend`. */
  spendExceptions(query: Query, exceptions: number): void {
    this.#spend(query, EXCEPTION_BYTES * exceptions)
  }

  #spend(query: Query, octets: number): void {
    this.#left -= octets
    if (this.#left < 0) throw new ServiceError('TooManyObjects', { query: query.text })
  }
}

/** An element that names its one object, by about value or id, and so does not depend on other writes. */
interface Addressed extends Element {
  readonly object: { readonly about: string } | { readonly id: ObjectId }
}

/**
 * The longest run of addressed elements from `start`. Together they take a few statements; each by itself would take
 * several. Bulk loads have only such elements.
 */
function addressedRun(elements: readonly Element[], start: number): Addressed[] {
  const run: Addressed[] = []
  for (let next = start; next < elements.length; next++) {
    const element = elements[next] as Element
    const { root } = element.query
    const about = aboutOf(element.query)
    if (about !== undefined) run.push({ ...element, object: { about } })
    else if (root.kind === 'id') run.push({ ...element, object: { id: root.id as ObjectId } })
    else break
  }
  return run
}

async function setAddressed<V>(
  tx: WriteTx<V>,
  run: readonly Addressed[],
  budget: WriteBudget,
): Promise<void> {
  const abouts = run.flatMap(({ object }) => ('about' in object ? readAboutValue(object.about, 'query') : []))
  const paths = [...new Set(run.flatMap(({ values }) => [...values.keys()]))]
  // All of them ask for the same tag or, if all are by id, for none.
  const asking = run.find(({ object }) => 'about' in object)
  if (asking !== undefined) await permitSearch(tx, asking.query)
  // The run creates its tags together, so an error names the query of the last element.
  const { query } = run.at(-1) as Addressed
  const tags = await ensureTags(tx, paths, (exceptions) => {
    budget.spendExceptions(query, exceptions)
  })
  const objects = await findOrMake(tx, abouts)
  await writeValues(tx, await runYielding(settingsOf(run, { tags, objects, budget })))
}

interface Found<V> {
  readonly tags: PermittedTags<'tag-values.write', V>
  readonly objects: ReadonlyMap<string, AboutObject>
  readonly budget: WriteBudget
}

/** The settings of the elements. If several elements set a tag on an object, the last one counts. */
function* settingsOf<V>(
  run: readonly Addressed[],
  { tags, objects, budget }: Found<V>,
): Generator<undefined, Setting<V>[]> {
  const byPath = new Map([...tags.keys()].map((path) => [path, new Map<ObjectId, Setting<V>>()]))
  let count = 0
  for (const element of run) {
    const { object, isNew } = objectOf(element, objects)
    const id = idBytes(object)
    for (const [path, value] of element.values) {
      budget.spend(element.query, value, 1)
      byPath.get(path)?.set(object, { tag: tagAt(tags, path), object, id, isNew, value })
      if (yieldsAfter(count++, value.content.length)) yield
    }
  }
  return [...byPath.values()].flatMap((settings) => [...settings.values()])
}

const findOrMake = async <V>(
  tx: WriteTx<V>,
  abouts: readonly string[],
): Promise<ReadonlyMap<string, AboutObject>> =>
  abouts.length === 0 ? new Map() : objectsAbout(tx, permitObjectCreation(tx), abouts)

const objectOf = ({ object }: Addressed, objects: ReadonlyMap<string, AboutObject>): AboutObject =>
  'id' in object ? { object: object.id, isNew: false } : (objects.get(object.about) as AboutObject)

async function setByQuery<V>(
  tx: WriteTx<V>,
  element: Element,
  { observe, found, budget }: Pick<Applying, 'observe' | 'found'> & { readonly budget: WriteBudget },
): Promise<void> {
  const { query, values } = element
  const permitted = await permitSearch(tx, query)
  const tags = await ensureTags(tx, [...values.keys()], (exceptions) => {
    budget.spendExceptions(query, exceptions)
  })
  const ids = found.get(element) ?? (await search(tx, permitted, observe))
  const settings = [...values].map(([path, value]) => {
    budget.spend(query, value, ids.size)
    return { tag: tagAt(tags, path), value }
  })
  await writeValuesOnAll(tx, ids, settings)
}
