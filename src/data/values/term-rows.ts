/** Rows of `terms`: which ones a change removes and adds, however many they are. */
import { SpreadMap } from '../../spread-map.ts'
import { idBytes, type ObjectId } from '../database/ids.ts'
import type { RowOf } from '../database/sql.ts'
import type { TERMS } from '../store/tables.ts'
import { TERM_OCTETS } from './encoding.ts'
import { termBytes, type Term } from '../database/terms.ts'

/** How many keys are sorted at once, and how many of them are looked at to find where to part them. */
const SORTED_KEYS = 8_000
const SAMPLES = 8

/** Whose terms they are. */
interface TermPlace {
  readonly tag: { readonly id: number }
  readonly object: ObjectId
}

/** A term of a tag, as text with a character for each octet, whose order is that of the table's key. */
type Key = string

const TAG_OCTETS = 6

/** What the keys of a tag begin with. */
function beginningOf(tagId: number): string {
  const bytes = Buffer.alloc(TAG_OCTETS)
  bytes.writeUIntBE(tagId, 0, TAG_OCTETS)
  return bytes.toString('latin1')
}

/** A set of rows, grouped by their terms: most words are in many values at once. */
export class TermRows {
  /** One object, or several in their order. Millions of lists with one object each would take too much. */
  readonly #objects: SpreadMap<Buffer | Buffer[]>
  #size = 0

  /** For the terms of values of so many octets, in all. */
  constructor(octets: number) {
    this.#objects = new SpreadMap(octets / TERM_OCTETS)
  }

  /** Adds the terms of a value, in portions. The values of a tag come in the order of their objects. Yields in between. */
  *add({ tag, object }: TermPlace, portions: Iterable<readonly Term[]>): Generator<undefined, void> {
    const beginning = beginningOf(tag.id)
    const id = idBytes(object)
    for (const terms of portions) {
      for (const term of terms) this.#add(beginning + term, id)
      yield
    }
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
  *inOrder(): Generator<undefined, readonly (readonly Key[])[]> {
    const bounds = yield* this.#bounds()
    const parts: Key[][] = Array.from({ length: bounds.length + 1 }, () => [])
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

  /** The rows with these keys. */
  *rows(parts: readonly (readonly Key[])[]): Generator<RowOf<typeof TERMS>> {
    for (const keys of parts) {
      for (const key of keys) {
        const tag_id = Buffer.from(key.slice(0, TAG_OCTETS), 'latin1').readUIntBE(0, TAG_OCTETS)
        const term = termBytes(key.slice(TAG_OCTETS) as Term)
        for (const object_id of this.#at(key)) yield { tag_id, term, object_id }
      }
    }
  }

  #at(key: Key): readonly Buffer[] {
    const objects = this.#objects.get(key) ?? []
    return Array.isArray(objects) ? objects : [objects]
  }

  #add(key: Key, object: Buffer): void {
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

  #set(key: Key, objects: Buffer[]): void {
    if (objects.length > 0) this.#objects.set(key, objects)
    else if (this.#objects.delete(key)) this.#size -= 1
  }

  /** Keys that part all keys into about equal portions. */
  *#bounds(): Generator<undefined, readonly Key[]> {
    const parts = Math.ceil(this.#size / SORTED_KEYS)
    if (parts <= 1) return []
    // What a table has first is as good as drawn at random.
    const samples: Key[] = []
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
    return Array.from({ length: parts - 1 }, (_, i) => samples[Math.floor((i + 1) * step)] as Key)
  }
}

function notAmong(objects: readonly Buffer[], others: readonly Buffer[]): Buffer[] {
  const known = new Set(others.map((id) => id.toString('latin1')))
  return objects.filter((id) => !known.has(id.toString('latin1')))
}

/** How many of the sorted `bounds` are not above `key`. */
function placeAmong(bounds: readonly Key[], key: Key): number {
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] as Key) <= key) low = middle + 1
    else high = middle
  }
  return low
}
