/** Sets of objects: ids in ascending order, 16 bytes each, without duplicates. */
import { ID_BYTES, idBytes, idTextAt, type ObjectId } from './ids.ts'
import { mergeIds } from './id-set-merging.ts'

/** How many objects one statement handles. */
const OBJECTS_AT_ONCE = 1000

/** Sorted ids to read. Their memory may be part of a larger set's memory. */
export class SortedIds {
  #bytes: Buffer | undefined

  /** `bytes` must hold whole ids in ascending order, without duplicates: nothing checks this, and merging relies on it. */
  protected constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The ids, one after the other. Throws once the set has been consumed or released. */
  get bytes(): Buffer {
    if (this.#bytes === undefined) throw new Error('a set of ids was used after it was given away')
    return this.#bytes
  }

  /** How many objects there are. */
  get size(): number {
    return this.bytes.length / ID_BYTES
  }

  /** The ids, each in its 16 bytes. */
  each(): Buffer[] {
    return Array.from({ length: this.size }, (_, i) => this.bytes.subarray(i * ID_BYTES, (i + 1) * ID_BYTES))
  }

  /** The ids as text. */
  texts(): ObjectId[] {
    return Array.from({ length: this.size }, (_, i) => idTextAt(this.bytes, i * ID_BYTES))
  }

  /** The ids in portions of `atOnce`, by default the number that one statement handles. */
  *portions(atOnce = OBJECTS_AT_ONCE): Generator<SortedIds> {
    const { bytes } = this
    const step = atOnce * ID_BYTES
    for (let start = 0; start < bytes.length; start += step) {
      yield new SortedIds(bytes.subarray(start, start + step))
    }
  }

  /** How many of the ids come before `id`. */
  before(id: Buffer): number {
    const { bytes } = this
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = middle * ID_BYTES
      if (bytes.compare(id, 0, ID_BYTES, at, at + ID_BYTES) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether an id is in the set. */
  has(id: Buffer): boolean {
    const at = this.before(id) * ID_BYTES
    return at < this.bytes.length && this.bytes.compare(id, 0, ID_BYTES, at, at + ID_BYTES) === 0
  }

  /** These ids without the `others`. */
  without(others: SortedIds): IdSet {
    return IdSet.inOrder(mergeIds('difference', this.bytes, others.bytes))
  }

  /** Takes the bytes out of the set, if they are still there; the set cannot be used afterwards. */
  protected take(): Buffer | undefined {
    const bytes = this.#bytes
    this.#bytes = undefined
    return bytes
  }
}

declare const owned: unique symbol

/** The bytes of a set that has been consumed. Their owner may change them or give them away. */
export type OwnedIds = Buffer & { readonly [owned]: true }

/** A set with its own memory, which its owner can give away or free. */
export class IdSet extends SortedIds {
  /** The set of the ids in `bytes`, which must be in ascending order, without duplicates; see `SortedIds`. */
  static inOrder(bytes: Buffer): IdSet {
    return new IdSet(bytes)
  }

  /** The set of one object, or the empty set. */
  static of(object: ObjectId | undefined): IdSet {
    return new IdSet(object === undefined ? Buffer.alloc(0) : idBytes(object))
  }

  /** Gives the memory away for merging. The set cannot be used afterwards. */
  consume(): OwnedIds {
    const { bytes } = this
    this.take()
    return bytes as OwnedIds
  }

  /**
   * Frees the memory, unless it is already gone. The set cannot be used afterwards. Without this call, the garbage collector
   * takes several milliseconds to find out that 16 MB are garbage.
   */
  release(): void {
    const bytes = this.take()
    if (bytes === undefined || !hasOwnMemory(bytes)) return
    if ('transfer' in bytes.buffer) bytes.buffer.transfer(0)
  }
}

/** Whether a set has its own memory: a small set may be part of a buffer that others share. */
export const hasOwnMemory = (bytes: Uint8Array): boolean => bytes.length > Buffer.poolSize
