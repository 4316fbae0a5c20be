/** Cursors: positions as text, which clients send back. */
import { badArgument } from '../../model/errors.ts'
import { ID_BYTES } from '../database/ids/ids.ts'
import { sha256 } from '../values/encoding.ts'
import { NO_BYTES, TEXT_BYTES, type Position } from './positions.ts'

/** The search that a cursor belongs to; it is invalid for any other search. */
export interface Searched {
  readonly query: string
  readonly sort: string
  readonly tags: readonly string[]
}

const DIGEST_BYTES = 8
/** The length of a missing key. */
const NO_KEY = 0xff

const digestOf = ({ query, sort, tags }: Searched): Buffer =>
  sha256(JSON.stringify([query, sort, ...tags])).subarray(0, DIGEST_BYTES)

/** The cursor of a position: the digest of the search, the id, the length of the key, the key and the text. */
export function cursorOf({ id, key, text }: Position, searched: Searched): string {
  const length = Buffer.of(key?.length ?? NO_KEY)
  return Buffer.concat([digestOf(searched), id, length, key ?? NO_BYTES, text]).toString('base64url')
}

/** The position in a cursor. Throws `TBadArgument` for one that was not made for this search. */
export function readCursor(cursor: string, searched: Searched): Position {
  const bytes = Buffer.from(cursor, 'base64url')
  const body = bytes.subarray(DIGEST_BYTES)
  const length = body[ID_BYTES] ?? NO_KEY
  const [keyAt, textAt] = [ID_BYTES + 1, ID_BYTES + 1 + (length === NO_KEY ? 0 : length)]
  const fits = body.length >= textAt && body.length - textAt <= TEXT_BYTES
  if (!fits || !bytes.subarray(0, DIGEST_BYTES).equals(digestOf(searched))) {
    throw badArgument('cursor', 'send what the page before has as next, with the same query, sort and tags')
  }
  return {
    id: body.subarray(0, ID_BYTES),
    key: length === NO_KEY ? undefined : body.subarray(keyAt, textAt),
    text: body.subarray(textAt),
  }
}
