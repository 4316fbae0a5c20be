/** Writing and deleting tag values, with everything that is kept to find them again. */
import { parsePrimitive, stringValue, type TagValue } from '../tag-value.ts'
import { ID_BYTES, idBytes, idText, type ObjectId } from './ids.ts'
import { difference, portionsOfSet, sizeOf, type IdSet } from './id-sets.ts'
import { permitSystemTag, type Permitted } from './permissions.ts'
import {
  insert,
  insertEach,
  join,
  list,
  portionsOf,
  raw,
  sql,
  type Bindable,
  type RowOf,
  type Sql,
} from './sql.ts'
import { microsecondsNow, type ReadTx, type WriteTx } from './store.ts'
import { SERVICE_USER, TAG_VALUES, TERMS, VALUE_PARTS, type SystemTag } from './tables.ts'
import {
  encode,
  INLINE_BYTES,
  PART_BYTES,
  termsOf,
  TYPES_WITH_TERMS,
  type Encoded,
} from './value-encoding.ts'
import {
  contentsInParts,
  headOf,
  isInParts,
  VALUE_COLUMNS,
  type TagSelection,
  type ValueHead,
  type ValueRow,
} from './values.ts'

/** Looks at the value that is about to be replaced or deleted, locked, if there is one; may throw to prevent it. */
export type Check = (current: ValueHead | undefined) => void

/** Sets a tag's value on one object, if `check` lets the one that is there go. */
export async function writeValue(
  tx: WriteTx,
  object: ObjectId,
  tag: Permitted<'tag-values.write'>,
  value: TagValue,
  check?: Check,
): Promise<void> {
  await writeChunk(tx, tag, new Map([[object, encode(value)]]), tx.caller.userId, check)
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

/** Sets the same value of a tag on every object in `ids` (16 bytes each, sorted). */
export async function writeValueOnAll(
  tx: WriteTx,
  ids: IdSet,
  tag: Permitted<'tag-values.write'>,
  value: TagValue,
): Promise<void> {
  const encoded = encode(value)
  for (const chunk of portionsOfSet(ids)) await writeOnChunk(tx, chunk, tag, encoded)
}

/** Sets one value on many objects, in statements that tell them apart by nothing but their ids. */
async function writeOnChunk(
  tx: WriteTx,
  ids: IdSet,
  tag: Permitted<'tag-values.write'>,
  encoded: Encoded,
): Promise<void> {
  const row = columnsOf(encoded, tx.now, tx.caller.userId)
  const size = sizeOf(ids)
  const present = await presentAmong(tx, tag, ids)
  // Where all of them may have one, most often all have, and nothing has to be known of it but that it is no more than a row.
  const replaced =
    present === size && isRowOnly(row) ? await tx.run(updateOf(tx, tag, ids, row, sql`AND ${ROW_ONLY}`)) : 0
  if (replaced === size) return
  const { old, beyondRow } = present === 0 ? NONE : await lockedSet(tx, tag, ids)
  const created = difference(ids, old)
  // A plain INSERT: should another writer have come first, its terms are unknown here, and this one starts again.
  await tx.insertEach(insertEach(TAG_VALUES, { tag_id: tag.id, ...row }), created)
  tx.count(tag.id, sizeOf(created))
  await clearBeyondRow(tx, tag, beyondRow)
  if (old.length > 0) await tx.run(updateOf(tx, tag, old, row))
  for (const term of termsOf(encoded.value, tag.indexed)) {
    await tx.insertEach(insertEach(TERMS, { tag_id: tag.id, term }), ids)
  }
  for (const [part, content] of partsOf(encoded.content).entries()) {
    await tx.insertEach(insertEach(VALUE_PARTS, { tag_id: tag.id, part, content }), ids)
  }
}

type ValueColumns = Omit<RowOf<typeof TAG_VALUES>, 'tag_id' | 'object_id'>

const updateOf = (tx: WriteTx, tag: StoredTag, ids: IdSet, row: ValueColumns, condition = raw('')): Sql =>
  sql`UPDATE tag_values SET ${settingsOf(row)}
    WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.among(ids)}) ${condition}`

/** True of values that have neither terms nor parts, but for the row itself. */
const ROW_ONLY = sql`content IS NOT NULL AND type NOT IN (${list(TYPES_WITH_TERMS)})`

const isRowOnly = ({ content, type }: ValueColumns): boolean =>
  content !== null && !TYPES_WITH_TERMS.includes(type)

/** How many values a tag has from the first to the last of `ids`, counted no further than there are ids. */
async function presentAmong(tx: WriteTx, tag: StoredTag, ids: IdSet): Promise<number> {
  const [first, last] = [ids.subarray(0, ID_BYTES), ids.subarray(-ID_BYTES)]
  const row = await tx.one<{ n: number }>(sql`
    SELECT COUNT(*) AS n FROM (
      SELECT 1 FROM tag_values ${tx.dialect.useIndex('PRIMARY')}
      WHERE tag_id = ${tag.id} AND object_id >= ${first} AND object_id <= ${last} LIMIT ${raw(String(sizeOf(ids)))}) c`)
  return row?.n ?? 0
}

const NONE = { old: Buffer.alloc(0), beyondRow: Buffer.alloc(0) }

/**
 * The objects among `ids` that have a value of the tag, which is locked against other writers; and those of them whose
 * value has terms or parts.
 */
async function lockedSet(
  tx: WriteTx,
  tag: StoredTag,
  ids: IdSet,
): Promise<{ readonly old: IdSet; readonly beyondRow: IdSet }> {
  const rows = await tx.all<{ object_id: Buffer; row_only: number }>(sql`
    SELECT object_id, ${ROW_ONLY} AS row_only FROM tag_values ${tx.dialect.useIndex('PRIMARY')}
    WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.among(ids)}) ORDER BY object_id ${tx.forUpdate}`)
  return {
    old: Buffer.concat(rows.map((row) => row.object_id)),
    beyondRow: Buffer.concat(rows.filter((row) => row.row_only === 0).map((row) => row.object_id)),
  }
}

/** Removes the terms and the parts of values that are locked and about to be replaced or deleted. */
async function clearBeyondRow(tx: WriteTx, tag: StoredTag, ids: IdSet): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.all<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v ${tx.dialect.useIndex('PRIMARY')}
    WHERE v.tag_id = ${tag.id} AND v.object_id IN (${tx.dialect.among(ids)}) ORDER BY v.object_id`)
  const old = await oldValues(tx, tag, rows)
  await replaceTerms(tx, tag, old, new Map())
  await deleteParts(tx, tag, old)
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

/** Deletes a tag's value from one object, if `check` lets it go; an absent one counts as deleted. */
export const deleteValue = (
  tx: WriteTx,
  object: ObjectId,
  tag: Permitted<'tag-values.delete'>,
  check?: Check,
): Promise<void> => deleteRows(tx, [tag], [idBytes(object)], check)

/** Deletes the selected tags' values from the objects in `ids` (16 bytes each); absent ones count as deleted. */
export async function deleteValues(
  tx: WriteTx,
  ids: IdSet,
  { named, every }: TagSelection<'tag-values.delete'>,
): Promise<void> {
  for (const chunk of portionsOfSet(ids)) {
    const others =
      every === undefined
        ? []
        : await tx.all<{ id: number; indexed: number }>(sql`
            SELECT DISTINCT t.id, t.indexed
            FROM tag_values v ${tx.dialect.useIndex('tag_values_by_object')}
            ${tx.dialect.thenJoin} tags t ON t.id = v.tag_id
            WHERE v.object_id IN (${tx.dialect.among(chunk)}) AND ${every.restriction} ORDER BY t.id`)
    const tags = [...named, ...others.map((tag) => ({ id: tag.id, indexed: tag.indexed === 1 }))]
    // By number, as all writers go: two that meet then never block each other.
    for (const tag of tags.sort((a, b) => a.id - b.id)) await deleteOnChunk(tx, tag, chunk)
  }
}

async function deleteOnChunk(tx: WriteTx, tag: StoredTag, ids: IdSet): Promise<void> {
  const deleteAmong = (some: IdSet, condition = raw('')): Promise<number> =>
    tx.run(sql`DELETE FROM tag_values
      WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.among(some)}) ${condition}`)
  let deleted = await deleteAmong(ids, sql`AND ${ROW_ONLY}`)
  if (deleted < sizeOf(ids)) {
    const { beyondRow } = await lockedSet(tx, tag, ids)
    await clearBeyondRow(tx, tag, beyondRow)
    if (beyondRow.length > 0) deleted += await deleteAmong(beyondRow)
  }
  tx.count(tag.id, -deleted)
}

interface StoredTag {
  readonly id: number
  readonly indexed: boolean
}

async function deleteRows(
  tx: WriteTx,
  tags: readonly StoredTag[],
  ids: readonly Buffer[],
  check?: Check,
): Promise<void> {
  for (const tag of [...tags].sort((a, b) => a.id - b.id)) {
    const old = await lockedValues(tx, tag, ids)
    check?.([...old.values()][0]?.head)
    if (old.size === 0) continue
    await replaceTerms(tx, tag, old, new Map())
    await deleteParts(tx, tag, old)
    await tx.run(
      sql`DELETE FROM tag_values WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.among(Buffer.concat(ids))})`,
    )
    tx.count(tag.id, -old.size)
  }
}

async function writeEncoded(
  tx: WriteTx,
  tag: Permitted<'tag-values.write'>,
  values: ReadonlyMap<ObjectId, Encoded>,
  userId: number,
): Promise<void> {
  // In the order of the key, as all writers do: two that go through the same rows then never block each other.
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const some of portionsOf(sorted)) await writeChunk(tx, tag, new Map(some), userId)
}

/** The columns of a value's row, its key apart. */
const columnsOf = (
  { type, sortKey, content, contentType }: Encoded,
  now: number,
  userId: number,
): ValueColumns => ({
  type,
  sort_key: sortKey,
  content: content.length <= INLINE_BYTES ? content : null,
  size: content.length,
  content_type: contentType,
  updated_at: now,
  user_id: userId,
})

/** An INSERT of a value on an object that has none. */
export const insertValue = (
  tagId: number,
  object: Buffer,
  encoded: Encoded,
  now: number,
  userId: number,
): Sql => insert(TAG_VALUES, [{ tag_id: tagId, object_id: object, ...columnsOf(encoded, now, userId) }])

/** An UPDATE of the value on an object that was last written at `seen`, and of no other. */
export const replaceValue = (
  tagId: number,
  object: Buffer,
  encoded: Encoded,
  seen: number,
  userId: number,
): Sql => {
  // Each write of a value has a later time than the one before.
  const columns = columnsOf(encoded, Math.max(microsecondsNow(), seen + 1), userId)
  return sql`UPDATE tag_values SET ${settingsOf(columns)}
    WHERE tag_id = ${tagId} AND object_id = ${object} AND updated_at = ${seen}`
}

const settingsOf = (columns: Readonly<Record<string, Bindable>>): Sql =>
  join(
    Object.entries(columns).map(([column, value]) => sql`${raw(column)} = ${value}`),
    ', ',
  )

async function writeChunk(
  tx: WriteTx,
  tag: Permitted<'tag-values.write'>,
  values: ReadonlyMap<ObjectId, Encoded>,
  userId: number,
  check?: Check,
): Promise<void> {
  const old = await lockedValues(tx, tag, [...values.keys()].map(idBytes))
  check?.([...old.values()][0]?.head)
  const rows = [...values].map(([object, encoded]) => ({
    tag_id: tag.id,
    object_id: idBytes(object),
    ...columnsOf(encoded, tx.now, userId),
  }))
  const isNew = (row: { object_id: Buffer }): boolean => !old.has(idText(row.object_id))
  const created = rows.filter(isNew)
  const changed = rows.filter((row) => !isNew(row))
  // A plain INSERT: should another writer have come first, its terms are unknown here, and this one starts again.
  if (created.length > 0) await tx.run(insert(TAG_VALUES, created))
  tx.count(tag.id, created.length)
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
  readonly head: ValueHead
  readonly terms: readonly Buffer[]
  readonly inParts: boolean
}

/** The present values of a tag on these objects, locked against other writers. */
async function lockedValues(
  tx: WriteTx,
  tag: StoredTag,
  ids: readonly Buffer[],
): Promise<Map<ObjectId, OldValue>> {
  return oldValues(
    tx,
    tag,
    await tx.all<ValueRow>(sql`
      SELECT ${VALUE_COLUMNS} FROM tag_values v ${tx.dialect.useIndex('PRIMARY')}
      WHERE v.tag_id = ${tag.id} AND v.object_id IN (${tx.dialect.among(Buffer.concat(ids))}) ORDER BY v.object_id ${tx.forUpdate}`),
  )
}

async function oldValues(
  tx: ReadTx,
  tag: StoredTag,
  rows: readonly ValueRow[],
): Promise<Map<ObjectId, OldValue>> {
  const hasTerms = (row: ValueRow): boolean => TYPES_WITH_TERMS.includes(row.type)
  const partsOf = contentsInParts(
    tx,
    rows.filter((row) => isInParts(row) && hasTerms(row)),
  )
  const old = new Map<ObjectId, OldValue>()
  for (const row of rows) {
    const json = hasTerms(row) ? (row.content ?? (await partsOf(row))).toString() : undefined
    const terms = json === undefined ? [] : termsOf(parsePrimitive(json), tag.indexed)
    old.set(idText(row.object_id), { head: headOf(row), inParts: isInParts(row), terms })
  }
  return old
}

async function deleteParts(tx: WriteTx, tag: StoredTag, old: ReadonlyMap<ObjectId, OldValue>): Promise<void> {
  const ids = [...old].filter(([, value]) => value.inParts).map(([object]) => idBytes(object))
  if (ids.length > 0) {
    await tx.run(
      sql`DELETE FROM value_parts WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.among(Buffer.concat(ids))})`,
    )
  }
}

async function insertParts(
  tx: WriteTx,
  tag: StoredTag,
  values: ReadonlyMap<ObjectId, Encoded>,
): Promise<void> {
  for (const [object, encoded] of values) {
    for (const [part, content] of partsOf(encoded.content).entries()) {
      await tx.run(insert(VALUE_PARTS, [{ tag_id: tag.id, object_id: idBytes(object), part, content }]))
    }
  }
}

/** What of a content does not stay in its row, in parts. */
const partsOf = (content: Buffer): Buffer[] =>
  content.length <= INLINE_BYTES
    ? []
    : Array.from({ length: Math.ceil(content.length / PART_BYTES) }, (_, part) =>
        content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
      )

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
  for (const some of portionsOf(gone)) await tx.run(sql`DELETE FROM terms WHERE ${join(some, ' OR ')}`)
  for (const some of portionsOf(added)) await tx.run(insert(TERMS, some, tx.dialect.keep(TERMS.key)))
}

function without(terms: readonly Buffer[], others: readonly Buffer[]): readonly Buffer[] {
  if (others.length === 0) return terms
  const known = new Set(others.map((term) => term.toString('latin1')))
  return terms.filter((term) => !known.has(term.toString('latin1')))
}
