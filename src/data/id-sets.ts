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

/** The ids of a set in JSON, separated by commas, in pieces of some 160 KB. */
export function* idsAsJson(set: IdSet): Generator<Buffer> {
  for (let start = 0; start < set.length; start += AT_ONCE * ID_BYTES) {
    yield jsonOf(set.subarray(start, start + AT_ONCE * ID_BYTES), start === 0)
  }
}

/** Octets of an id in JSON: its 36 characters, the quotation marks, and a comma before it unless it is the first. */
const JSON_BYTES = 39

/** Octets of all that `idsAsJson` gives. */
export const jsonLength = (set: IdSet): number => Math.max(sizeOf(set) * JSON_BYTES - 1, 0)

const AT_ONCE = 4096
const DIGITS = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'))
/** The two digits of each octet. */
const HIGH = Buffer.from(DIGITS.map(([high = '']) => high).join(''))
const LOW = Buffer.from(DIGITS.map(([, low = '']) => low).join(''))
const FRAME = Buffer.from(',"00000000-0000-0000-0000-000000000000"')
/** Where in the frame the digits of each octet go. */
const PLACES = Uint8Array.of(2, 4, 6, 8, 11, 13, 16, 18, 21, 23, 26, 28, 30, 32, 34, 36)

function jsonOf(set: IdSet, first: boolean): Buffer {
  const json = Buffer.allocUnsafe(sizeOf(set) * JSON_BYTES).fill(FRAME)
  for (let at = 0, start = 0; at < set.length; at += ID_BYTES, start += JSON_BYTES) {
    for (let i = 0; i < ID_BYTES; i++) {
      const octet = set[at + i] as number
      const place = start + (PLACES[i] as number)
      json[place] = HIGH[octet] as number
      json[place + 1] = LOW[octet] as number
    }
  }
  return first ? json.subarray(1) : json
}

const LANES = ID_BYTES / 4

/** Four numbers an id, which compare as its bytes do and four times as fast. */
function lanesOf(set: IdSet): Uint32Array {
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
