/** Rows of `terms`: which ones a change removes and adds, however many they are. */
import { SpreadMap } from '../../spread-map.ts'
import { portionsOfAll, type RowOf } from '../database/sql.ts'
import type { TERMS } from '../store/tables.ts'
import { TERM_OCTETS } from './encoding.ts'
import { termBytes, type Term } from '../database/terms.ts'

/** How many keys are sorted at once, and how many of them are looked at to find where to part them. */
const SORTED_KEYS = 8_000
const SAMPLES = 8

type TermRow = RowOf<typeof TERMS>

/** A set of rows of one tag, grouped by their terms: most words are in many values at once. */
export class TermRows {
  readonly #tagId: number
  /** One object, or several in their order. Millions of lists with one object each would take too much. */
  readonly #objects: SpreadMap<Buffer | Buffer[], Term>
  #size = 0

  /** For the terms of values of so many octets, in all. */
  constructor(tagId: number, octets: number) {
    this.#tagId = tagId
    this.#objects = new SpreadMap(octets / TERM_OCTETS)
  }

  /** Adds terms of the value on an object. Values come in the order of their objects. */
  add(object: Buffer, terms: readonly Term[]): void {
    for (const term of terms) this.#add(term, object)
  }

  /** Removes the rows that are in both sets from both. Yields in between. */
  *without(others: TermRows): Generator<undefined, void> {
    for (const keys of this.#objects.keys()) {
      for (const key of keys) {
        const [mine, theirs] = [this.#at(key), others.#at(key)]
        if (theirs.length === 0) continue
        this.#set(key, notAmong(mine, theirs))
        others.#set(key, notAmong(theirs, mine))
      }
      yield
    }
  }

  /** The keys of the rows in order, part by part. Yields in between. */
  *inOrder(): Generator<undefined, readonly (readonly Term[])[]> {
    const bounds = yield* this.#bounds()
    const parts: Term[][] = Array.from({ length: bounds.length + 1 }, () => [])
    for (const keys of this.#objects.keys()) {
      for (const key of keys) parts[placeAmong(bounds, key)]?.push(key)
      yield
    }
    for (const part of parts) {
      part.sort()
      yield
    }
    return parts
  }

  /** The rows with these keys, term by term. */
  *rows(parts: readonly (readonly Term[])[]): Generator<TermRow[]> {
    for (const keys of parts) {
      for (const key of keys) {
        const term = termBytes(key)
        yield this.#at(key).map((object_id) => ({ tag_id: this.#tagId, term, object_id }))
      }
    }
  }

  #at(key: Term): readonly Buffer[] {
    const objects = this.#objects.get(key) ?? []
    return Array.isArray(objects) ? objects : [objects]
  }

  #add(key: Term, object: Buffer): void {
    const objects = this.#objects.get(key)
    if (objects === undefined) {
      this.#objects.set(key, object)
      this.#size += 1
    } else if (Array.isArray(objects)) {
      if (objects.at(-1) !== object) objects.push(object)
    } else if (objects !== object) {
      this.#objects.set(key, [objects, object])
    }
  }

  #set(key: Term, objects: Buffer[]): void {
    if (objects.length > 0) this.#objects.set(key, objects)
    else if (this.#objects.delete(key)) this.#size -= 1
  }

  /** Keys that part all keys into about equal portions. */
  *#bounds(): Generator<undefined, readonly Term[]> {
    const parts = Math.ceil(this.#size / SORTED_KEYS)
    if (parts <= 1) return []
    // What a table has first is as good as drawn at random.
    const samples: Term[] = []
    for (const keys of this.#objects.keys()) {
      let taken = 0
      for (const key of keys) {
        if (taken++ === SAMPLES) break
        samples.push(key)
      }
    }
    samples.sort()
    yield
    const step = samples.length / parts
    return Array.from({ length: parts - 1 }, (_, i) => samples[Math.floor((i + 1) * step)] as Term)
  }
}

/** The rows of all sets, one set after the other, in portions of `atOnce`. Yields in between. */
export function* rowsInOrder(
  sets: readonly TermRows[],
  atOnce?: number,
): Generator<undefined, Iterable<TermRow[]>> {
  const ordered: Iterable<TermRow[]>[] = []
  for (const set of sets) ordered.push(set.rows(yield* set.inOrder()))
  return portionsOfAll(chained<TermRow[]>(ordered), atOnce)
}

function* chained<T>(parts: readonly Iterable<T>[]): Generator<T, void> {
  for (const part of parts) yield* part
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
