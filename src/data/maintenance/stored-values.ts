/** Reads values with their contents, tag by tag, in one pass over their rows and the parts of long ones. */
import { isUtf8 } from 'node:buffer'
import { parsePrimitive, type TagValue } from '../../model/tag-value.ts'
import { TAG_VALUES, VALUE_PARTS } from '../store/tables.ts'
import type { ReadTx } from '../store/views.ts'
import { PART_BYTES, typeCode } from '../values/encoding.ts'
import { Cursor } from './cursor.ts'

/** A row of `tag_values`. */
export interface StoredRow {
  readonly tag_id: number
  readonly object_id: Buffer
  readonly type: number
  readonly sort_key: Buffer
  readonly content: Buffer | null
  readonly size: number
  readonly content_type: Buffer | null
  readonly updated_at: number
  readonly user_id: number
}

/** A row of `value_parts`. */
export interface PartRow {
  readonly tag_id: number
  readonly object_id: Buffer
  readonly part: number
  readonly content: Buffer
}

/** A stored value. */
export interface Stored {
  readonly row: StoredRow
  /** The whole content; undefined if parts of it are missing or have a wrong size. */
  readonly content: Buffer | undefined
  /** How many parts it has. */
  readonly parts: number
}

/** Receives parts that belong to no value of the tag. */
type TakeStray = (part: PartRow) => Promise<void>

/** Reads values and parts side by side, from the first tag on or of one tag alone. */
export class StoredValues {
  readonly #values: Cursor<StoredRow>
  readonly #parts: Cursor<PartRow>

  private constructor(values: Cursor<StoredRow>, parts: Cursor<PartRow>) {
    this.#values = values
    this.#parts = parts
  }

  static async open<V>(tx: ReadTx<V>, tagId?: number): Promise<StoredValues> {
    const of = tagId === undefined ? {} : { tagId }
    const keyOf = (key: readonly string[]): readonly string[] => (tagId === undefined ? key : key.slice(1))
    return new StoredValues(
      await Cursor.open<StoredRow, V>(tx, {
        table: TAG_VALUES.name,
        columns: TAG_VALUES.columns,
        key: keyOf(TAG_VALUES.key),
        ...of,
      }),
      await Cursor.open<PartRow, V>(tx, {
        table: VALUE_PARTS.name,
        columns: VALUE_PARTS.columns,
        key: keyOf(VALUE_PARTS.key),
        large: true,
        ...of,
      }),
    )
  }

  /** The lowest tag with rows left to read; undefined at the end. */
  get tagId(): number | undefined {
    const ids = [this.#values.head?.tag_id, this.#parts.head?.tag_id].filter((id) => id !== undefined)
    return ids.length === 0 ? undefined : Math.min(...ids)
  }

  /** The values of a tag, which must be the lowest one left. */
  async *of(tagId: number, takeStray: TakeStray = () => Promise.resolve()): AsyncGenerator<Stored> {
    const values = this.#values
    for (let row = values.head; row?.tag_id === tagId; row = values.head) {
      await this.#strays(tagId, row.object_id, takeStray)
      yield await this.#stored(row)
      const pending = values.advance()
      if (pending !== undefined) await pending
    }
    await this.#strays(tagId, undefined, takeStray)
  }

  /** Passes over the parts of a tag before an object, or over all its parts. */
  async #strays(tagId: number, before: Buffer | undefined, take: TakeStray): Promise<void> {
    const parts = this.#parts
    for (let part = parts.head; part?.tag_id === tagId; part = parts.head) {
      if (before !== undefined && part.object_id.compare(before) >= 0) return
      await take(part)
      await parts.advance()
    }
  }

  async #stored(row: StoredRow): Promise<Stored> {
    const parts = await this.#partsOf(row)
    if (row.content !== null) return { row, content: row.content, parts: parts.length }
    const content = Buffer.concat(parts.map((part) => part.content))
    const inOrder = parts.every(({ part }, i) => part === i)
    const full = parts.slice(0, -1).every((part) => part.content.length === PART_BYTES)
    const complete = inOrder && full && content.length === row.size && parts.at(-1)?.content.length !== 0
    return { row, content: complete && parts.length > 0 ? content : undefined, parts: parts.length }
  }

  async #partsOf(row: StoredRow): Promise<PartRow[]> {
    const found: PartRow[] = []
    const { tag_id: tagId, object_id: object } = row
    for (let part = this.#parts.head; part !== undefined; part = this.#parts.head) {
      if (part.tag_id !== tagId || !part.object_id.equals(object)) break
      found.push(part)
      await this.#parts.advance()
    }
    return found
  }
}

const OPAQUE = typeCode('opaque')

/**
 * The value with this content; undefined if the content is not canonical. A value with a content type or the type of opaque
 * values is opaque.
 */
export function valueOf(
  { type, content_type: contentType }: Pick<StoredRow, 'type' | 'content_type'>,
  content: Buffer,
): TagValue | undefined {
  if (type === OPAQUE || contentType !== null) {
    const known = type === OPAQUE && contentType !== null && isUtf8(contentType)
    return known ? { type: 'opaque', contentType: contentType.toString(), bytes: content } : undefined
  }
  // Octets that are no UTF-8 would be read as another text, perhaps of the same size.
  if (!isUtf8(content)) return undefined
  try {
    const text = content.toString()
    const primitive = parsePrimitive(text)
    return primitive.json === text ? primitive : undefined
  } catch {
    return undefined
  }
}
