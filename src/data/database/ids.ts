/** Object identifiers: UUIDs, read in either case, written in lower case, stored as 16 bytes. */
import { v7 } from 'uuid'
import { ServiceError } from '../../errors.ts'

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

/** A new identifier. Identifiers ascend with time, which keeps inserts local in the tables. */
export function newObjectId(): ObjectId {
  const id: string = v7()
  return id as ObjectId
}

/** The 16 bytes of an identifier. */
export const idBytes = (id: ObjectId): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

/** Whether two identifiers, in 16 bytes each, are the same. Their ends differ most: most others differ at once. */
export function isSameId(a: Buffer, b: Buffer): boolean {
  for (let at = ID_BYTES - 1; at >= 0; at--) if (a[at] !== b[at]) return false
  return true
}

/** The identifier in the 16 bytes at `offset`. */
export function idText(bytes: Buffer, offset = 0): ObjectId {
  const hex = bytes.toString('hex', offset, offset + ID_BYTES)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as ObjectId
}
