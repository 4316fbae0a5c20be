/** Rows of `terms`: finds any number of rows that a change removes and adds, and stores the change. */
import { runYielding, yieldTimer } from '../../scheduling/yielding.ts'
import { insertEach } from '../database/connection/dialects.ts'
import { IdSet } from '../database/ids/id-sets.ts'
import { portionsOfAll, sql, type RowOf } from '../database/connection/sql.ts'
import { TERMS } from '../store/tables.ts'
import type { WriteTx } from '../store/views.ts'
import { termBytes, type Term } from '../values/terms.ts'

/** How many keys are sorted at once, and how many samples per part choose the bounds of parts. */
const SORTED_KEYS = 8_000
const SAMPLES = 8

/** From this number of objects on, the rows of a term have their own INSERT: they differ only in the id. */
const MANY_OBJECTS = 500

type TermRow = RowOf<typeof TERMS>

/** The rows of one term of a tag. */
class TermGroup {
  readonly tagId: number
  readonly term: Buffer
  /** Its objects in their order. */
  readonly objects: readonly Buffer[]

  constructor(tagId: number, term: Term, objects: readonly Buffer[]) {
    this.tagId = tagId
    this.term = termBytes(term)
    this.objects = objects
  }

  get rows(): TermRow[] {
    return this.objects.map((object_id) => ({ tag_id: this.tagId, term: this.term, object_id }))
  }
}

/** A set of rows of one tag, grouped by their terms: most words are in many values at once. */
export class TermRows {
  readonly #tagId: number
  /** One object, or several in their order. Millions of lists with one object each would take too much memory. */
  readonly #objects = new Map<Term, Buffer | Buffer[]>()

  constructor(tagId: number) {
    this.#tagId = tagId
  }

  /** Adds terms of the value on an object. Callers add values in the order of their objects. */
  add(object: Buffer, terms: readonly Term[]): void {
    for (const term of terms) this.#add(term, object)
  }

  /** Removes the rows that are in both sets from both. Yields in between. */
  *without(others: TermRows): Generator<undefined, void> {
    let count = 0
    for (const key of this.#objects.keys()) {
      if (++count % SORTED_KEYS === 0) yield
      const [mine, theirs] = [this.#at(key), others.#at(key)]
      if (theirs.length === 0) continue
      this.#set(key, notAmong(mine, theirs))
      others.#set(key, notAmong(theirs, mine))
    }
  }

  /** The keys of the rows in order, part by part. Yields in between. */
  *inOrder(): Generator<undefined, readonly (readonly Term[])[]> {
    const keys = [...this.#objects.keys()]
    const bounds = boundsAmong(keys)
    const parts: Term[][] = Array.from({ length: bounds.length + 1 }, () => [])
    for (const [at, key] of keys.entries()) {
      if (at % SORTED_KEYS === 0) yield
      parts[placeAmong(bounds, key)]?.push(key)
    }
    for (const part of parts) {
      part.sort()
      yield
    }
    return parts
  }

  /** The rows with these keys, term by term. */
  *groups(parts: readonly (readonly Term[])[]): Generator<TermGroup> {
    for (const keys of parts) for (const key of keys) yield new TermGroup(this.#tagId, key, this.#at(key))
  }

  #at(key: Term): readonly Buffer[] {
    const objects = this.#objects.get(key) ?? []
    return Array.isArray(objects) ? objects : [objects]
  }

  #add(key: Term, object: Buffer): void {
    const objects = this.#objects.get(key)
    if (objects === undefined) {
      this.#objects.set(key, object)
    } else if (Array.isArray(objects)) {
      if (objects.at(-1) !== object) objects.push(object)
    } else if (objects !== object) {
      this.#objects.set(key, [objects, object])
    }
  }

  #set(key: Term, objects: Buffer[]): void {
    if (objects.length > 0) this.#objects.set(key, objects)
    else this.#objects.delete(key)
  }
}

/** Keys that divide all keys into parts of about equal size. */
function boundsAmong(keys: readonly Term[]): readonly Term[] {
  const parts = Math.ceil(keys.length / SORTED_KEYS)
  // At random, because clients determine the order.
  const drawn = (): Term => keys[Math.floor(Math.random() * keys.length)] as Term
  const samples = Array.from({ length: parts <= 1 ? 0 : parts * SAMPLES }, drawn).sort()
  return samples.filter((_, i) => i > 0 && i % SAMPLES === 0)
}

/** Which terms of a tag a change of values removes and adds. */
export interface TermChanges {
  readonly gone: TermRows
  readonly added: TermRows
}

/** Stores changes of terms. */
export async function replaceTerms<V>(tx: WriteTx<V>, changes: readonly TermChanges[]): Promise<void> {
  const gone = await runYielding(allInOrder(changes.map((change) => change.gone)))
  for (const some of portionsOfAll(rowsOf(gone))) {
    const rows = some.map((row) => [row.tag_id, row.term, row.object_id])
    await tx.run(sql`DELETE FROM terms WHERE (tag_id, term, object_id) IN (${tx.dialect.inRows(rows)})`)
  }
  const added = await runYielding(allInOrder(changes.map((change) => change.added)))
  const yieldIfDue = yieldTimer()
  for (const some of inPortions(added, tx.dialect.insertedAtOnce)) {
    await insert(tx, some)
    const due = yieldIfDue()
    if (due !== undefined) await due
  }
}

async function insert<V>(tx: WriteTx<V>, some: TermGroup | readonly TermRow[]): Promise<void> {
  const conflict = tx.dialect.ignoreExisting(TERMS.key)
  if (!(some instanceof TermGroup)) return tx.insert(TERMS, some, conflict)
  const { tagId: tag_id, term, objects } = some
  return tx.insertEach(insertEach(TERMS, { tag_id, term }, conflict), IdSet.inOrder(Buffer.concat(objects)))
}

/** The rows of all sets, term by term, one set after the other. Yields in between. */
function* allInOrder(sets: readonly TermRows[]): Generator<undefined, Iterable<TermGroup>> {
  const ordered: Iterable<TermGroup>[] = []
  for (const set of sets) ordered.push(set.groups(yield* set.inOrder()))
  return chained<TermGroup>(ordered)
}

function* chained<T>(parts: readonly Iterable<T>[]): Generator<T, void> {
  for (const part of parts) yield* part
}

function* rowsOf(groups: Iterable<TermGroup>): Generator<TermRow[]> {
  for (const group of groups) yield group.rows
}

/** Terms with many objects one by one, and the rows of other terms in portions of about `atOnce`. */
function* inPortions(groups: Iterable<TermGroup>, atOnce: number): Generator<TermGroup | readonly TermRow[]> {
  let few: TermRow[] = []
  for (const group of groups) {
    if (group.objects.length >= MANY_OBJECTS) {
      yield group
      continue
    }
    few.push(...group.rows)
    if (few.length < atOnce) continue
    yield few
    few = []
  }
  yield few
}

function notAmong(objects: readonly Buffer[], others: readonly Buffer[]): Buffer[] {
  const known = new Set(others.map((id) => id.toString('latin1')))
  return objects.filter((id) => !known.has(id.toString('latin1')))
}

/** How many of the sorted `bounds` are not above `key`. */
function placeAmong(bounds: readonly Term[], key: Term): number {
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] as Term) <= key) low = middle + 1
    else high = middle
  }
  return low
}
