/** Positions of objects in an order: by the values of a tag, or by their ids. */
import type { Permitted } from '../permissions/rights.ts'
import { sql } from '../database/connection/sql.ts'
import type { ReadTx } from '../store/views.ts'
import { beginningOf, KEY, KEY_STRING_BYTES } from '../values/encoding.ts'

/**
 * The position of an object. `key` is the sort key of its value; undefined if it has no value of the tag, and empty in an
 * order of ids alone. `text` is the beginning of a string that is longer than its key, at most `TEXT_BYTES` octets of UTF-8,
 * and empty for other values.
 */
export interface Position {
  readonly id: Buffer
  readonly key: Buffer | undefined
  readonly text: Buffer
}

/** The tag by whose values to sort, undefined for ids, and the direction. */
export interface Order<V> {
  readonly tag: Permitted<'tag-values.read', V> | undefined
  readonly descending: boolean
}

/** How many octets of a string count for its order. */
export const TEXT_BYTES = 1024

export const NO_BYTES = Buffer.alloc(0)

/** The length of a key's head: keys of long strings with the same beginning share it, and shorter strings have no more. */
const HEAD_BYTES = 1 + KEY_STRING_BYTES

export const headOf = (key: Buffer): Buffer => key.subarray(0, HEAD_BYTES)

/** Whether a key belongs to a string that is longer than the key holds. */
export const isLong = (key: Buffer): boolean => key[0] === KEY.string && key.length > HEAD_BYTES

/** A key beyond every key with this head. */
export const afterHead = (head: Buffer): Buffer => Buffer.concat([head, Buffer.alloc(40, 0xff)])

/** Compares positions: objects without a value come last, in both directions. */
function comparing(descending: boolean): (a: Position, b: Position) => number {
  const sign = descending ? -1 : 1
  return (a, b) => {
    const order =
      a.key === undefined || b.key === undefined
        ? 0
        : Buffer.compare(headOf(a.key), headOf(b.key)) ||
          Buffer.compare(a.text, b.text) ||
          Buffer.compare(a.key, b.key)
    return (
      Number(a.key === undefined) - Number(b.key === undefined) ||
      sign * (order || Buffer.compare(a.id, b.id))
    )
  }
}

/** Collects the first positions of many, in order. */
export class First {
  readonly #compare: (a: Position, b: Position) => number
  readonly #after: Position | undefined
  readonly #want: number
  #held: Position[] = []

  /** Keeps the first `want` positions behind `after`. */
  constructor(descending: boolean, { after, want }: { after: Position | undefined; want: number }) {
    this.#compare = comparing(descending)
    this.#after = after
    this.#want = want
  }

  /** Whether a position may be among the first; a position without its `text` may be anywhere that its key allows. */
  mayHold(position: Position): boolean {
    const { key } = position
    if (key === undefined || !isLong(key) || position.text.length > 0) return this.#isBehind(position)
    const head = { id: NO_BYTES, key: headOf(key), text: NO_BYTES }
    const sameHead = ({ key: other }: Position): boolean =>
      other?.subarray(0, HEAD_BYTES).equals(head.key) === true
    const [edge, last] = [this.#after, this.#last]
    if (edge !== undefined && !sameHead(edge) && this.#compare(head, edge) < 0) return false
    return last === undefined || sameHead(last) || this.#compare(head, last) < 0
  }

  add(position: Position): void {
    if (!this.mayHold(position)) return
    this.#held.push(position)
    if (this.#held.length >= 2 * this.#want + 1000) this.#shorten()
  }

  inOrder(): Position[] {
    this.#shorten()
    return this.#held
  }

  #isBehind(position: Position): boolean {
    if (this.#after !== undefined && this.#compare(position, this.#after) <= 0) return false
    return this.#last === undefined || this.#compare(position, this.#last) < 0
  }

  /** The last position that may be among the first, once there are `want` of them. */
  #last: Position | undefined

  #shorten(): void {
    this.#held = this.#held.sort(this.#compare).slice(0, this.#want)
    if (this.#held.length === this.#want) this.#last = this.#held.at(-1)
  }
}

/** How many octets of JSON are enough for the first `TEXT_BYTES` of a string: an escape takes six octets for one. */
const JSON_BYTES = 6 * TEXT_BYTES + 8

/** The positions, with texts for strings that are longer than their keys. */
export async function withTexts<V>(
  tx: ReadTx<V>,
  tag: Permitted<'tag-values.read', V>,
  positions: readonly Position[],
): Promise<Position[]> {
  const long = positions.filter(({ key }) => key !== undefined && isLong(key))
  if (long.length === 0) return [...positions]
  const among = sql`tag_id = ${tag.id} AND object_id IN (${tx.dialect.inIds(Buffer.concat(long.map(({ id }) => id)))})`
  const texts = new Map<string, Buffer>()
  for (const row of await tx.all<{ object_id: Buffer; content: Buffer | null }>(sql`
    SELECT object_id, content FROM tag_values ${tx.dialect.useIndex('PRIMARY')} WHERE ${among}`)) {
    if (row.content !== null) texts.set(row.object_id.toString('latin1'), row.content)
  }
  if (texts.size < long.length) {
    for (const row of await tx.all<{ object_id: Buffer; content: Buffer }>(sql`
      SELECT object_id, SUBSTR(content, 1, ${JSON_BYTES}) AS content FROM value_parts ${tx.dialect.useKeyOfLarge}
      WHERE ${among} AND part = 0`)) {
      texts.set(row.object_id.toString('latin1'), row.content)
    }
  }
  return positions.map((position) => {
    const json = texts.get(position.id.toString('latin1'))
    return json === undefined ? position : { ...position, text: beginningOf(json, TEXT_BYTES) }
  })
}
