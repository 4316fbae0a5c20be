/** Tag values: reading one or many, writing and deleting them with everything that is kept to find them again. */
import { ServiceError } from '../errors.ts'
import { parsePrimitive, stringValue, type PrimitiveType, type TagValue } from '../tag-value.ts'
import { idBytes, idText, ID_BYTES, type ObjectId } from './ids.ts'
import { insert, list, raw, sql, type Sql } from './sql.ts'
import type { ReadTx, WriteTx } from './store.ts'
import {
  SERVICE_USER,
  SYSTEM_TAGS,
  ID_TAG,
  TAG_VALUES,
  TERMS,
  VALUE_PARTS,
  type SystemTag,
} from './tables.ts'
import { permitSystemTag, type EveryPermitted, type Permitted } from './permissions.ts'
import { encode, INLINE_BYTES, PART_BYTES, termsOf, typeOfCode, type Encoded } from './value-encoding.ts'

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

export interface ValueRow {
  readonly object_id: Buffer
  readonly tag_id: number
  readonly type: number
  readonly content: Buffer | null
  readonly size: number
  readonly content_type: Buffer | null
  readonly updated_at: number
}

export const VALUE_COLUMNS = raw(
  'v.object_id, v.tag_id, v.type, v.content, v.size, v.content_type, v.updated_at',
)

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

/** The head of the value that a writer is about to replace or delete, locked; undefined where there is none. */
export async function findValueHead(
  tx: WriteTx,
  object: ObjectId,
  tag: Permitted<'tag-values.write' | 'tag-values.delete'>,
): Promise<ValueHead | undefined> {
  const row = await tx.one<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v
    WHERE v.tag_id = ${tag.id} AND v.object_id = ${idBytes(object)} ${tx.forUpdate}`)
  return row === undefined ? undefined : headOf(row)
}

/** The virtual value of `service/id`; it never changed. */
function idValue(object: ObjectId): StoredValue {
  const content = Buffer.from(JSON.stringify(object))
  return { type: 'string', contentType: undefined, sizeBytes: content.length, updatedAt: 0, content }
}

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
  const stored = named.filter((tag) => tag.id !== ID_TAG.id)
  const withId = stored.length < named.length
  const chosen = sql`(v.tag_id IN (${list(stored.map((tag) => tag.id))}) OR ${every?.restriction ?? raw('1 = 0')})`
  for (const chunk of chunksOf(ids)) {
    const rows = await tx.all<ValueRow & { path: Buffer }>(sql`
      SELECT ${VALUE_COLUMNS}, t.path FROM tag_values v JOIN tags t ON t.id = v.tag_id
      WHERE v.object_id IN (${list(chunk)}) AND ${named.length > 0 && every === undefined ? tagIn(stored) : chosen}
      ORDER BY v.object_id, t.path`)
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

const tagIn = (tags: readonly { readonly id: number }[]): Sql =>
  sql`v.tag_id IN (${list(tags.map((tag) => tag.id))})`

const listed = (object: ObjectId, path: string, value: StoredValue): ListedValue => ({
  ...value,
  object,
  path,
  json: value.content,
})

function* chunksOf(ids: Buffer): Generator<Buffer[]> {
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

/** Sets a tag's value on one object. */
export async function writeValue(
  tx: WriteTx,
  object: ObjectId,
  tag: Permitted<'tag-values.write'>,
  value: TagValue,
): Promise<void> {
  await writeEncoded(tx, tag, new Map([[object, encode(value)]]), tx.caller.userId)
}

/** Sets a tag's values on many objects, one value each. */
export async function writeValues(
  tx: WriteTx,
  tag: Permitted<'tag-values.write'>,
  values: ReadonlyMap<ObjectId, TagValue>,
): Promise<void> {
  const encoded = new Map([...values].map(([object, value]) => [object, encode(value)]))
  await writeEncoded(tx, tag, encoded, tx.caller.userId)
}

/** Sets the same value of a tag on every object in `ids` (16 bytes each). */
export async function writeValueOnAll(
  tx: WriteTx,
  ids: Buffer,
  tag: Permitted<'tag-values.write'>,
  value: TagValue,
): Promise<void> {
  const encoded = encode(value)
  for (const chunk of chunksOf(ids)) {
    await writeEncoded(tx, tag, new Map(chunk.map((id) => [idText(id), encoded])), tx.caller.userId)
  }
}

/** Sets a system tag's string on an object, in the name of the service. */
export async function writeSystemValue(
  tx: WriteTx,
  object: ObjectId,
  tag: SystemTag,
  text: string,
): Promise<void> {
  await writeSystemValues(tx, tag, new Map([[object, text]]))
}

/** Sets a system tag's strings on many objects, in the name of the service. */
export async function writeSystemValues(
  tx: WriteTx,
  tag: SystemTag,
  texts: ReadonlyMap<ObjectId, string>,
): Promise<void> {
  const encoded = new Map([...texts].map(([object, text]) => [object, encode(stringValue(text))]))
  await writeEncoded(tx, permitSystemTag(tag), encoded, SERVICE_USER.id)
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

/** Removes system tags from the object of something that is being deleted. */
export async function deleteSystemValues(
  tx: WriteTx,
  object: ObjectId,
  tags: readonly SystemTag[],
): Promise<void> {
  await deleteRows(
    tx,
    tags.map((tag) => permitSystemTag(tag)),
    [idBytes(object)],
  )
}

/** Deletes a tag's value from one object; an absent one counts as deleted. */
export const deleteValue = (
  tx: WriteTx,
  object: ObjectId,
  tag: Permitted<'tag-values.delete'>,
): Promise<void> => deleteRows(tx, [tag], [idBytes(object)])

/** Deletes the selected tags' values from the objects in `ids` (16 bytes each); absent ones count as deleted. */
export async function deleteValues(
  tx: WriteTx,
  ids: Buffer,
  { named, every }: TagSelection<'tag-values.delete'>,
): Promise<void> {
  for (const chunk of chunksOf(ids)) {
    await deleteRows(tx, named, chunk)
    if (every === undefined) continue
    const tags = await tx.all<{ id: number; indexed: number }>(sql`
      SELECT DISTINCT t.id, t.indexed FROM tag_values v JOIN tags t ON t.id = v.tag_id
      WHERE v.object_id IN (${list(chunk)}) AND ${every.restriction} ORDER BY t.id`)
    await deleteRows(
      tx,
      tags.map((tag) => ({ id: tag.id, indexed: tag.indexed === 1 })),
      chunk,
    )
  }
}

interface StoredTag {
  readonly id: number
  readonly indexed: boolean
}

async function deleteRows(tx: WriteTx, tags: readonly StoredTag[], ids: readonly Buffer[]): Promise<void> {
  for (const tag of [...tags].sort((a, b) => a.id - b.id)) {
    const old = await lockedValues(tx, tag, ids)
    if (old.size === 0) continue
    await replaceTerms(tx, tag, old, new Map())
    await deleteParts(tx, tag, old)
    await tx.run(sql`DELETE FROM tag_values WHERE tag_id = ${tag.id} AND object_id IN (${list(ids)})`)
  }
}

/** Rows of one statement: bounds its size, and the memory that it takes. */
const ROWS_AT_ONCE = 500

async function writeEncoded(
  tx: WriteTx,
  tag: Permitted<'tag-values.write'>,
  values: ReadonlyMap<ObjectId, Encoded>,
  userId: number,
): Promise<void> {
  // In the order of the key, as all writers do: two that go through the same rows then never block each other.
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let start = 0; start < sorted.length; start += ROWS_AT_ONCE) {
    await writeChunk(tx, tag, new Map(sorted.slice(start, start + ROWS_AT_ONCE)), userId)
  }
}

async function writeChunk(
  tx: WriteTx,
  tag: Permitted<'tag-values.write'>,
  values: ReadonlyMap<ObjectId, Encoded>,
  userId: number,
): Promise<void> {
  const old = await lockedValues(tx, tag, [...values.keys()].map(idBytes))
  const rows = [...values].map(([object, encoded]) => ({
    tag_id: tag.id,
    object_id: idBytes(object),
    type: encoded.type,
    sort_key: encoded.sortKey,
    content: encoded.content.length <= INLINE_BYTES ? encoded.content : null,
    size: encoded.content.length,
    content_type: encoded.contentType,
    updated_at: tx.now,
    user_id: userId,
  }))
  const isNew = (row: { object_id: Buffer }): boolean => !old.has(idText(row.object_id))
  const created = rows.filter(isNew)
  const changed = rows.filter((row) => !isNew(row))
  // A plain INSERT: should another writer have come first, its terms are unknown here, and this one starts again.
  if (created.length > 0) await tx.run(insert(TAG_VALUES, created))
  if (changed.length > 0) {
    await tx.run(
      insert(TAG_VALUES, changed, tx.dialect.overwrite(TAG_VALUES.key, TAG_VALUES.columns.slice(2))),
    )
  }
  await deleteParts(tx, tag, old)
  await insertParts(tx, tag, values)
  await replaceTerms(
    tx,
    tag,
    old,
    new Map([...values].map(([object, { value }]) => [object, termsOf(value, tag.indexed)])),
  )
}

/** What must be known of a value that is being replaced. */
interface OldValue {
  readonly terms: readonly Buffer[]
  readonly inParts: boolean
}

/** The present values of a tag on these objects, locked against other writers. */
async function lockedValues(
  tx: WriteTx,
  tag: StoredTag,
  ids: readonly Buffer[],
): Promise<Map<ObjectId, OldValue>> {
  const rows = await tx.all<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v
    WHERE v.tag_id = ${tag.id} AND v.object_id IN (${list(ids)}) ORDER BY v.object_id ${tx.forUpdate}`)
  const old = new Map<ObjectId, OldValue>()
  for (const row of rows) {
    old.set(idText(row.object_id), { inParts: row.content === null, terms: await oldTerms(tx, tag, row) })
  }
  return old
}

async function oldTerms(tx: ReadTx, tag: StoredTag, row: ValueRow): Promise<Buffer[]> {
  const type = typeOfCode(row.type)
  if (type !== 'string' && type !== 'list-of-strings') return []
  return termsOf(parsePrimitive((await contentOf(tx, row)).toString()), tag.indexed)
}

async function deleteParts(tx: WriteTx, tag: StoredTag, old: ReadonlyMap<ObjectId, OldValue>): Promise<void> {
  const ids = [...old].filter(([, value]) => value.inParts).map(([object]) => idBytes(object))
  if (ids.length > 0) {
    await tx.run(sql`DELETE FROM value_parts WHERE tag_id = ${tag.id} AND object_id IN (${list(ids)})`)
  }
}

async function insertParts(
  tx: WriteTx,
  tag: StoredTag,
  values: ReadonlyMap<ObjectId, Encoded>,
): Promise<void> {
  for (const [object, { content }] of values) {
    if (content.length <= INLINE_BYTES) continue
    for (let part = 0; part * PART_BYTES < content.length; part++) {
      const bytes = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
      await tx.run(
        insert(VALUE_PARTS, [{ tag_id: tag.id, object_id: idBytes(object), part, content: bytes }]),
      )
    }
  }
}

const TERMS_AT_ONCE = 200

async function replaceTerms(
  tx: WriteTx,
  tag: StoredTag,
  old: ReadonlyMap<ObjectId, OldValue>,
  fresh: ReadonlyMap<ObjectId, readonly Buffer[]>,
): Promise<void> {
  const gone: Sql[] = []
  const added: { tag_id: number; term: Buffer; object_id: Buffer }[] = []
  for (const object of new Set([...old.keys(), ...fresh.keys()])) {
    const before = old.get(object)?.terms ?? []
    const after = fresh.get(object) ?? []
    const id = idBytes(object)
    for (const term of without(before, after)) {
      gone.push(sql`(tag_id = ${tag.id} AND term = ${term} AND object_id = ${id})`)
    }
    for (const term of without(after, before)) added.push({ tag_id: tag.id, term, object_id: id })
  }
  added.sort((a, b) => Buffer.compare(a.term, b.term) || Buffer.compare(a.object_id, b.object_id))
  for (let start = 0; start < gone.length; start += TERMS_AT_ONCE) {
    const some = gone.slice(start, start + TERMS_AT_ONCE)
    await tx.run(sql`DELETE FROM terms WHERE ${some.reduce((a, b) => sql`${a} OR ${b}`)}`)
  }
  for (let start = 0; start < added.length; start += ROWS_AT_ONCE) {
    await tx.run(insert(TERMS, added.slice(start, start + ROWS_AT_ONCE), tx.dialect.keep(TERMS.key)))
  }
}

function without(terms: readonly Buffer[], others: readonly Buffer[]): readonly Buffer[] {
  if (others.length === 0) return terms
  const known = new Set(others.map((term) => term.toString('latin1')))
  return terms.filter((term) => !known.has(term.toString('latin1')))
}
