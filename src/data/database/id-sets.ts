/** Sets of objects as sorted ids, 16 bytes each, and their union, intersection and difference by merging. */
import { ID_BYTES } from './ids.ts'

/** A sorted set of ids, packed. */
export type IdSet = Buffer

/** How many objects are in a set. */
export const sizeOf = (set: IdSet): number => set.length / ID_BYTES

/** The ids of a set, each in its 16 bytes. */
export const bytesOf = (set: IdSet): Buffer[] =>
  Array.from({ length: sizeOf(set) }, (_, i) => set.subarray(i * ID_BYTES, (i + 1) * ID_BYTES))

/** A set in portions of so many, by default as many as one statement takes. */
export function* portionsOfSet(set: IdSet, atOnce = OBJECTS_AT_ONCE): Generator<IdSet> {
  const step = atOnce * ID_BYTES
  for (let start = 0; start < set.length; start += step) yield set.subarray(start, start + step)
}

const OBJECTS_AT_ONCE = 1000

/** The objects in either set. */
export const union = (a: IdSet, b: IdSet): IdSet => merge(a, b, a.length + b.length, true, true, true)

/** The objects in both sets. */
export const intersection = (a: IdSet, b: IdSet): IdSet =>
  merge(a, b, Math.min(a.length, b.length), false, true, false)

/** The objects in `a` that are not in `b`. */
export const difference = (a: IdSet, b: IdSet): IdSet => merge(a, b, a.length, true, false, false)

/** How two sets are made one. */
export type Merge = 'union' | 'intersection' | 'difference'

/** The sets that are made of two. */
export const MERGES: Readonly<Record<Merge, (a: IdSet, b: IdSet) => IdSet>> = {
  union,
  intersection,
  difference,
}

/**
 * Frees the memory of a whole set that nobody uses any more. To find out by itself that 16 MB are of no use takes the
 * process several milliseconds.
 */
export function release(set: IdSet): void {
  const { buffer } = set
  if (isApart(set) && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Whether the memory of a whole set is its own: a small one may be a part of what others share. */
export const isApart = (set: IdSet): boolean => set.length > Buffer.poolSize

/** The set of ids that are packed in no order, none of them twice. Takes as long for any order, and no comparisons. */
export function sorted(ids: Buffer): IdSet {
  let from = lanesOf(ids)
  let to = new Uint32Array(from.length)
  // By one octet after the other from the last to the first: ids that are alike in one stay as they were.
  for (let octet = ID_BYTES - 1; octet >= 0; octet--) {
    const lane = octet >> 2
    const shift = 24 - 8 * (octet & 3)
    const places = new Uint32Array(256)
    for (let at = lane; at < from.length; at += LANES) {
      const value = ((from[at] as number) >>> shift) & 0xff
      places[value] = (places[value] as number) + LANES
    }
    if (places.includes(from.length)) continue
    let place = 0
    for (let value = 0; value < 256; value++) {
      const length = places[value] as number
      places[value] = place
      place += length
    }
    for (let at = 0; at < from.length; at += LANES) {
      const value = ((from[at + lane] as number) >>> shift) & 0xff
      copyId(from, at, to, places[value] as number)
      places[value] = (places[value] as number) + LANES
    }
    const before = from
    from = to
    to = before
  }
  return setOf(from)
}

/**
 * The ids of a set in JSON, separated by commas, in pieces of some 160 KB. Two pieces take turns, so each one is to be
 * used before the one after the next is asked for: answers of 39 MB made of new ones have all of memory collected.
 */
export function* idsAsJson(set: IdSet): Generator<Buffer> {
  const frames: Buffer[] = []
  const step = AT_ONCE * ID_BYTES
  for (let start = 0, turn = 0; start < set.length; start += step, turn = 1 - turn) {
    const ids = set.subarray(start, start + step)
    const frame = (frames[turn] ??= Buffer.allocUnsafe(sizeOf(ids) * JSON_BYTES).fill(FRAME))
    writeDigits(ids, frame)
    yield frame.subarray(start === 0 ? 1 : 0, sizeOf(ids) * JSON_BYTES)
  }
}

/** Octets of an id in JSON: its 36 characters, the quotation marks, and a comma before it unless it is the first. */
const JSON_BYTES = 39

/** Octets of all that `idsAsJson` gives. */
export const jsonLength = (set: IdSet): number => Math.max(sizeOf(set) * JSON_BYTES - 1, 0)

const AT_ONCE = 4096
const FRAME = Buffer.from(',"00000000-0000-0000-0000-000000000000"')
/** The four digits of each two octets, as the octets of one number. */
const DIGITS = Uint32Array.from({ length: 0x1_0000 }, (_, two) =>
  Buffer.from(two.toString(16).padStart(4, '0')).readUInt32BE(),
)

/** Writes ids into the places that frames have for them. */
function writeDigits(set: IdSet, json: Buffer): void {
  // Views read and write several octets at once, wherever they lie.
  const from = new DataView(set.buffer, set.byteOffset, set.length)
  const to = new DataView(json.buffer, json.byteOffset, json.length)
  for (let at = 0, start = 0; at < set.length; at += ID_BYTES, start += JSON_BYTES) {
    // Where in the frame the digits of each two octets go. Not a loop: this runs millions of times a query.
    to.setUint32(start + 2, DIGITS[from.getUint16(at)] as number)
    to.setUint32(start + 6, DIGITS[from.getUint16(at + 2)] as number)
    to.setUint32(start + 11, DIGITS[from.getUint16(at + 4)] as number)
    to.setUint32(start + 16, DIGITS[from.getUint16(at + 6)] as number)
    to.setUint32(start + 21, DIGITS[from.getUint16(at + 8)] as number)
    to.setUint32(start + 26, DIGITS[from.getUint16(at + 10)] as number)
    to.setUint32(start + 30, DIGITS[from.getUint16(at + 12)] as number)
    to.setUint32(start + 34, DIGITS[from.getUint16(at + 14)] as number)
  }
}

const LANES = ID_BYTES / 4

/** Four numbers an id, which compare as its bytes do and four times as fast. */
function lanesOf(set: IdSet): Uint32Array<ArrayBuffer> {
  const lanes = new Uint8Array(set.length)
  lanes.set(set)
  Buffer.from(lanes.buffer).swap32()
  return new Uint32Array(lanes.buffer)
}

function setOf(lanes: Uint32Array): IdSet {
  return Buffer.from(lanes.buffer, lanes.byteOffset, lanes.byteLength).swap32()
}

/** Goes through both sets at once, and keeps what is in `a` alone, in both, in `b` alone; `most` bytes are enough. */
function merge(a: IdSet, b: IdSet, most: number, onlyA: boolean, both: boolean, onlyB: boolean): IdSet {
  const left = lanesOf(a)
  const right = lanesOf(b)
  const merged = new Uint32Array(most / 4)
  let [i, j, end] = [0, 0, 0]
  while (i < left.length && j < right.length) {
    const order = compare(left, i, right, j)
    if (order === 0 ? both : order < 0 && onlyA) {
      copyId(left, i, merged, end)
      end += LANES
    } else if (order > 0 && onlyB) {
      copyId(right, j, merged, end)
      end += LANES
    }
    if (order <= 0) i += LANES
    if (order >= 0) j += LANES
  }
  const rest = onlyA && i < left.length ? left.subarray(i) : onlyB ? right.subarray(j) : new Uint32Array()
  merged.set(rest, end)
  return setOf(merged.subarray(0, end + rest.length))
}

// Four assignments and not a loop: this runs millions of times a query.
function copyId(from: Uint32Array, at: number, to: Uint32Array, end: number): void {
  to[end] = from[at] as number
  to[end + 1] = from[at + 1] as number
  to[end + 2] = from[at + 2] as number
  to[end + 3] = from[at + 3] as number
}

function compare(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  for (let lane = 0; lane < LANES; lane++) {
    const order = (a[i + lane] as number) - (b[j + lane] as number)
    if (order !== 0) return order
  }
  return 0
}
