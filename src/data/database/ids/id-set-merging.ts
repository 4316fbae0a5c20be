/** Sorts and merges packed ids, 16 bytes each: these loops run millions of times per query. */
import { ID_BYTES } from './ids.ts'

/** How to combine two sets. */
export type Merge = 'union' | 'intersection' | 'difference'

interface Kept {
  /** Whether the result keeps ids that are only in the first set, in both, or only in the second. */
  readonly onlyFirst: boolean
  readonly both: boolean
  readonly onlySecond: boolean
  /** The maximum size of the result, in octets. */
  readonly bytes: (a: Buffer, b: Buffer) => number
}

const KEPT: Readonly<Record<Merge, Kept>> = {
  union: { onlyFirst: true, both: true, onlySecond: true, bytes: (a, b) => a.length + b.length },
  intersection: {
    onlyFirst: false,
    both: true,
    onlySecond: false,
    bytes: (a, b) => Math.min(a.length, b.length),
  },
  difference: { onlyFirst: true, both: false, onlySecond: false, bytes: (a) => a.length },
}

const LANES = ID_BYTES / 4

/** Merges two sorted runs of ids into one. */
export function mergeIds(merge: Merge, a: Buffer, b: Buffer): Buffer {
  const { onlyFirst, both, onlySecond, bytes } = KEPT[merge]
  const left = lanesOf(a)
  const right = lanesOf(b)
  const merged = new Uint32Array(bytes(a, b) / 4)
  let [i, j, end] = [0, 0, 0]
  while (i < left.length && j < right.length) {
    const order = compare(left, i, right, j)
    if (order === 0 ? both : order < 0 && onlyFirst) {
      copyId(left, i, merged, end)
      end += LANES
    } else if (order > 0 && onlySecond) {
      copyId(right, j, merged, end)
      end += LANES
    }
    if (order <= 0) i += LANES
    if (order >= 0) j += LANES
  }
  const rest = restOf(left, i, onlyFirst) ?? restOf(right, j, onlySecond) ?? new Uint32Array()
  merged.set(rest, end)
  return bytesOf(merged.subarray(0, end + rest.length))
}

const restOf = (lanes: Uint32Array, from: number, kept: boolean): Uint32Array | undefined =>
  kept && from < lanes.length ? lanes.subarray(from) : undefined

/** Sorts ids. Takes the same time for any order, and compares nothing. */
export function sortIds(ids: Buffer): Buffer {
  let from = lanesOf(ids)
  let to = new Uint32Array(from.length)
  // From the last octet to the first: ids that share an octet keep their relative order.
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
  return bytesOf(from)
}

/** Sorted ids, each once. */
export function withoutRepeats(ids: Buffer): Buffer {
  const lanes = lanesOf(ids)
  let end = 0
  for (let at = 0; at < lanes.length; at += LANES) {
    if (end > 0 && compare(lanes, at, lanes, end - LANES) === 0) continue
    copyId(lanes, at, lanes, end)
    end += LANES
  }
  return bytesOf(lanes.subarray(0, end))
}

/** Four numbers per id, which compare like its bytes, but four times as fast. */
function lanesOf(ids: Buffer): Uint32Array<ArrayBuffer> {
  const lanes = new Uint8Array(ids.length)
  lanes.set(ids)
  Buffer.from(lanes.buffer).swap32()
  return new Uint32Array(lanes.buffer)
}

function bytesOf(lanes: Uint32Array): Buffer {
  return Buffer.from(lanes.buffer, lanes.byteOffset, lanes.byteLength).swap32()
}

// Four assignments instead of a loop: this runs millions of times per query.
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
