/** Object identifiers: UUIDs, read in either case, written in lower case, stored as 16 bytes. */
import { randomInt } from 'node:crypto'
import { inspect } from 'node:util'
import { v7 } from 'uuid'
import { ServiceError } from '../../../model/errors.ts'

/** A UUID in lower case. */
export type ObjectId = string & { readonly brand: unique symbol }

/** Octets of a stored identifier. */
export const ID_BYTES = 16

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The identifier that `raw` spells, or undefined if it is not a UUID. */
export function findObjectId(raw: string): ObjectId | undefined {
  const id = raw.toLowerCase()
  return UUID.test(id) ? (id as ObjectId) : undefined
}

/** The identifier that `raw` spells. Throws `NoSuchResource` if it is not a UUID. */
export function readObjectId(raw: string): ObjectId {
  const id = findObjectId(raw)
  if (id === undefined) throw new ServiceError('NoSuchResource')
  return id
}

/** The latest millisecond in which an identifier was made, and the number of the latest one in it. */
let latest = { msecs: -1, seq: 0 }

/**
 * A new identifier. Identifiers ascend with time, which keeps inserts close together in the tables. The time is the system
 * clock's: by default the library would never go back behind the latest time of the clock.
 */
export function newObjectId(): ObjectId {
  const msecs = Date.now()
  latest = { msecs, seq: msecs === latest.msecs ? latest.seq + 1 : randomInt(FIRST_NUMBERS) }
  const id: string = v7(latest)
  return id as ObjectId
}

/** The lowest first number: half of the 32-bit range, so that numbers do not run out within a millisecond. */
const FIRST_NUMBERS = 2 ** 31

/** Where the digits of the 16 bytes are in the text of an identifier. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** The 16 bytes of an identifier. By hand: loads make three for each object, and `Buffer.from` takes ten times as long. */
export function idBytes(id: ObjectId): Buffer {
  const bytes = Buffer.allocUnsafe(ID_BYTES)
  for (let i = 0; i < ID_BYTES; i++) {
    const place = PLACES[i] as number
    bytes[i] = (digitAt(id, place) << 4) | digitAt(id, place + 1)
  }
  return bytes
}

/** The number of a hexadecimal digit in lower case. */
function digitAt(id: ObjectId, place: number): number {
  const code = id.charCodeAt(place)
  return code < CODE_OF_A ? code - CODE_OF_0 : code - CODE_OF_A + 10
}

const [CODE_OF_0, CODE_OF_A] = [0x30, 0x61]

/** Whether two identifiers of 16 bytes are the same. Compares from the end, where they differ most. */
export function isSameId(a: Buffer, b: Buffer): boolean {
  for (let at = ID_BYTES - 1; at >= 0; at--) if (a[at] !== b[at]) return false
  return true
}

/** The identifier in 16 bytes. Throws if they are something else, such as text that a database made of them. */
export function idText(bytes: Buffer): ObjectId {
  if (!Buffer.isBuffer(bytes) || bytes.length !== ID_BYTES) {
    throw new TypeError(`an identifier of ${String(ID_BYTES)} bytes was expected, not ${inspect(bytes)}`)
  }
  return idTextAt(bytes, 0)
}

/** The identifier in the 16 bytes at `offset`, which must be there. */
export function idTextAt(bytes: Buffer, offset: number): ObjectId {
  const hex = bytes.toString('hex', offset, offset + ID_BYTES)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as ObjectId
}
