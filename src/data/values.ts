/** Reading tag values, one or many. */
import { ServiceError } from '../errors.ts'
import type { PrimitiveType } from '../tag-value.ts'
import { idBytes, idText, ID_BYTES, type ObjectId } from './ids.ts'
import type { EveryPermitted, Permitted } from './permissions.ts'
import { list, raw, sql } from './sql.ts'
import type { ReadTx } from './store.ts'
import { ID_TAG, SYSTEM_TAGS, type SystemTag } from './tables.ts'
import { typeOfCode } from './value-encoding.ts'

/** A stored value without its content. */
export interface ValueHead {
  readonly type: PrimitiveType | 'opaque'
  /** The content type of an opaque value. */
  readonly contentType: string | undefined
  /** Octets of the content. */
  readonly sizeBytes: number
  /** Microseconds since 1970. */
  readonly updatedAt: number
}

/** A stored value: the canonical JSON of a primitive, or the bytes of an opaque one. */
export interface StoredValue extends ValueHead {
  readonly content: Buffer
}

/** A row of `tag_values`, with the columns of `VALUE_COLUMNS`. */
export interface ValueRow {
  readonly object_id: Buffer
  readonly tag_id: number
  readonly type: number
  readonly content: Buffer | null
  readonly size: number
  readonly content_type: Buffer | null
  readonly updated_at: number
}

/** What must be selected of `tag_values`, aliased `v`, to read a value. */
export const VALUE_COLUMNS = raw(
  'v.object_id, v.tag_id, v.type, v.content, v.size, v.content_type, v.updated_at',
)

/** All of a value but its content. */
export const headOf = (row: ValueRow): ValueHead => ({
  type: typeOfCode(row.type),
  contentType: row.content_type?.toString(),
  sizeBytes: row.size,
  updatedAt: row.updated_at,
})

/** The value of a tag on an object. Throws `TNoInstanceOnObject`. */
export async function readValue(
  tx: ReadTx,
  object: ObjectId,
  tag: Permitted<'tag-values.read'>,
): Promise<StoredValue> {
  if (tag.id === ID_TAG.id) return idValue(object)
  const row = await tx.one<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v WHERE v.tag_id = ${tag.id} AND v.object_id = ${idBytes(object)}`)
  if (row === undefined) throw new ServiceError('TNoInstanceOnObject', { path: tag.path })
  return { ...headOf(row), content: await contentOf(tx, row) }
}

/** The virtual value of `service/id`; it never changed. */
function idValue(object: ObjectId): StoredValue {
  const content = Buffer.from(JSON.stringify(object))
  return { type: 'string', contentType: undefined, sizeBytes: content.length, updatedAt: 0, content }
}

/** The content of a value, put together when it is in parts. */
export async function contentOf(tx: ReadTx, row: ValueRow): Promise<Buffer> {
  if (row.content !== null) return row.content
  const parts = await tx.all<{ content: Buffer }>(sql`
    SELECT content FROM value_parts WHERE tag_id = ${row.tag_id} AND object_id = ${row.object_id} ORDER BY part`)
  return Buffer.concat(parts.map((part) => part.content))
}

/** A value among others: where it is, and, unless it is opaque, its canonical JSON. */
export interface ListedValue extends ValueHead {
  readonly object: ObjectId
  readonly path: string
  readonly json: Buffer | undefined
}

/** Which tags a bulk operation is about: named ones, and perhaps every one that the caller has the right to. */
export interface TagSelection<P extends 'tag-values.read' | 'tag-values.delete'> {
  readonly named: readonly Permitted<P>[]
  readonly every: EveryPermitted<P> | undefined
}

const OBJECTS_AT_ONCE = 500

/** The values of the selected tags on the objects in `ids` (16 bytes each, sorted), object by object. */
export async function* readValues(
  tx: ReadTx,
  ids: Buffer,
  { named, every }: TagSelection<'tag-values.read'>,
): AsyncGenerator<{ object: ObjectId; values: ListedValue[] }> {
  const stored = named.filter((tag) => tag.id !== ID_TAG.id).map((tag) => tag.id)
  const withId = stored.length < named.length
  const chosen = sql`v.tag_id IN (${list(stored)})`
  const selected = every === undefined ? chosen : sql`(${chosen} OR ${every.restriction})`
  for (const chunk of chunksOf(ids)) {
    // Planners would begin with the tags, and read all of their values.
    const rows = await tx.all<ValueRow & { path: Buffer }>(sql`
      SELECT ${VALUE_COLUMNS}, t.path
      FROM tag_values v ${tx.dialect.useIndex('tag_values_by_object')}
      ${tx.dialect.thenJoin} tags t ON t.id = v.tag_id
      WHERE v.object_id IN (${list(chunk)}) AND ${selected} ORDER BY v.object_id, t.path`)
    let next = 0
    for (const id of chunk) {
      const object = idText(id)
      const values: ListedValue[] = withId ? [listed(object, ID_TAG.path, idValue(object))] : []
      for (; rows[next]?.object_id.equals(id) === true; next++) {
        const row = rows[next] as ValueRow & { path: Buffer }
        const primitive = row.content_type === null
        const content = primitive ? await contentOf(tx, row) : undefined
        values.push({ ...headOf(row), object, path: row.path.toString(), json: content })
      }
      yield { object, values }
    }
  }
}

const listed = (object: ObjectId, path: string, value: StoredValue): ListedValue => ({
  ...value,
  object,
  path,
  json: value.content,
})

/** A set of ids in portions that one statement takes. */
export function* chunksOf(ids: Buffer): Generator<Buffer[]> {
  const step = OBJECTS_AT_ONCE * ID_BYTES
  for (let start = 0; start < ids.length; start += step) {
    const chunk: Buffer[] = []
    for (let at = start; at < Math.min(start + step, ids.length); at += ID_BYTES) {
      chunk.push(ids.subarray(at, at + ID_BYTES))
    }
    yield chunk
  }
}

/** The canonical JSON of a tag's values on the objects in `ids` (16 bytes each, sorted), in that order. */
export async function* readTexts(
  tx: ReadTx,
  ids: Buffer,
  tag: Permitted<'tag-values.read'>,
): AsyncGenerator<{ id: Buffer; json: string }> {
  for (const chunk of chunksOf(ids)) {
    const rows = await tx.all<ValueRow>(sql`
      SELECT ${VALUE_COLUMNS} FROM tag_values v
      WHERE v.tag_id = ${tag.id} AND v.object_id IN (${list(chunk)}) ORDER BY v.object_id`)
    for (const row of rows) yield { id: row.object_id, json: (await contentOf(tx, row)).toString() }
  }
}

/** The string of a system tag on an object; undefined where it has none. */
export async function readSystemValue(
  tx: ReadTx,
  object: ObjectId,
  tag: SystemTag,
): Promise<string | undefined> {
  const row = await tx.one<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v
    WHERE v.tag_id = ${SYSTEM_TAGS[tag].id} AND v.object_id = ${idBytes(object)}`)
  return row === undefined ? undefined : (JSON.parse((await contentOf(tx, row)).toString()) as string)
}
