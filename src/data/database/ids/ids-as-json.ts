/** Fast conversion of ids to JSON strings: an answer of a million ids is 39 MB of text. */
import type { BorrowedBytes } from '../../../model/borrowed-bytes.ts'
import type { SortedIds } from './id-sets.ts'
import { ID_BYTES } from './ids.ts'

/** Octets of an id in JSON: its 36 characters, two quotation marks, and a comma before every id but the first. */
const JSON_BYTES = 39

/** The total length of the output of `idsAsJson`, in octets. */
export const jsonLength = ({ size }: SortedIds): number => Math.max(size * JSON_BYTES - 1, 0)

const AT_ONCE = 4096
const FRAME = Buffer.from(',"00000000-0000-0000-0000-000000000000"')

/**
 * The ids in JSON, separated by commas, in pieces of about 160 KB. Allocating a new buffer for each piece of a 39 MB
 * answer would trigger a full garbage collection.
 */
export function* idsAsJson(ids: SortedIds): Generator<BorrowedBytes> {
  const frames: Buffer[] = []
  let turn = 0
  for (const portion of ids.portions(AT_ONCE)) {
    const frame = (frames[turn % 2] ??= Buffer.allocUnsafe(portion.size * JSON_BYTES).fill(FRAME))
    writeDigits(portion.bytes, frame)
    const start = turn === 0 ? 1 : 0
    turn += 1
    yield frame.subarray(start, portion.size * JSON_BYTES)
  }
}

/** The four hexadecimal digits for each pair of octets, as the octets of one number. */
const DIGITS = Uint32Array.from({ length: 0x1_0000 }, (_, two) =>
  Buffer.from(two.toString(16).padStart(4, '0')).readUInt32BE(),
)

/** Writes ids into the gaps that a frame leaves for them. */
function writeDigits(ids: Buffer, json: Buffer): void {
  // Views read and write several octets at once, at any alignment.
  const from = new DataView(ids.buffer, ids.byteOffset, ids.length)
  const to = new DataView(json.buffer, json.byteOffset, json.length)
  for (let at = 0, start = 0; at < ids.length; at += ID_BYTES, start += JSON_BYTES) {
    // The places in the frame for the digits of each pair of octets. Not a loop: this runs millions of times per query.
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
