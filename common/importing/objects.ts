/** The objects that the rows of a file are about: how many there are, and which rows are about the same one. */
import type { Address } from '../connection/addresses.ts'
import { targetOf } from './converting.ts'
import type { Row } from './fields.ts'
import type { Mapping } from './mapping.ts'
import { Refusal } from './refusals.ts'

/** A text that is the same for two addresses of one object. */
export const addressKey = (target: Address): string => ('id' in target ? target.id : `:${target.about}`)

/** The words of a slot: two for the hash of an object, then the number of its first row, and of its rows. */
const WORDS = 4
const FIRST_SLOTS = 1024

/**
 * Counts rows by object in a hash table: 16 bytes a slot, of which at most half are taken, so at most 64 bytes an object,
 * and 96 while the table grows. Two of 10,000,000 objects share their hash of 64 bits with a probability of 3 in a million.
 */
export class Objects {
  #table = new Uint32Array(FIRST_SLOTS * WORDS)
  #rows = 0
  #count = 0
  #nameless = 0

  /** The number of rows that name an object. */
  get rows(): number {
    return this.#rows
  }

  /** The number of their objects. */
  get count(): number {
    return this.#count
  }

  /** The number of rows that name none. */
  get nameless(): number {
    return this.#nameless
  }

  /** Counts a row. */
  add(row: Row, object: Mapping['object']): void {
    const target = row.flaw === undefined ? targetOf(object, row) : undefined
    if (target === undefined || target instanceof Refusal) {
      this.#nameless += 1
      return
    }
    if (2 * (this.#count + 1) * WORDS > this.#table.length) this.#grow()
    const [high, low] = hashOf(addressKey(target))
    const slot = this.#slotOf(high, low)
    if (this.#table[slot + 3] === 0) {
      this.#table.set([high, low, row.number], slot)
      this.#count += 1
    }
    this.#table[slot + 3] = (this.#table[slot + 3] ?? 0) + 1
    this.#rows += 1
  }

  /** The number of the first row about an object, and the number of its rows. Both are 0 if no row is about it. */
  of(target: Address): { readonly first: number; readonly rows: number } {
    const slot = this.#slotOf(...hashOf(addressKey(target)))
    const [first = 0, rows = 0] = this.#table.subarray(slot + 2, slot + WORDS)
    return { first, rows }
  }

  /** The place of the slot that has this hash, or else of the empty slot for it. */
  #slotOf(high: number, low: number): number {
    const table = this.#table
    let slot = (low * WORDS) % table.length
    while (table[slot + 3] !== 0 && (table[slot] !== high || table[slot + 1] !== low)) {
      slot = (slot + WORDS) % table.length
    }
    return slot
  }

  #grow(): void {
    const old = this.#table
    this.#table = new Uint32Array(2 * old.length)
    for (let from = 0; from < old.length; from += WORDS) {
      const words = old.subarray(from, from + WORDS)
      if (words[3] !== 0) this.#table.set(words, this.#slotOf(words[0] ?? 0, words[1] ?? 0))
    }
  }
}

/** Counts the rows of a file by object. */
export async function objectsIn(
  rows: AsyncIterable<Row> | Iterable<Row>,
  object: Mapping['object'],
): Promise<Objects> {
  const objects = new Objects()
  for await (const row of rows) objects.add(row, object)
  return objects
}

/** A hash of 64 bits in two words: cyrb53 (bryc, public domain) without its last step, which drops 11 bits. */
function hashOf(text: string): [high: number, low: number] {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return [high >>> 0, low >>> 0]
}
