/** Writing and deleting values of single objects, or of many that have each their own. */
import { stringValue, type TagValue } from '../../tag-value.ts'
import { idBytes, idText, type ObjectId } from '../database/ids.ts'
import { permitSystemTag, type Permitted } from '../permissions/permissions.ts'
import { insert, portionsOf, sql, type Sql } from '../database/sql.ts'
import { microsecondsNow, type WriteTx } from '../store/store.ts'
import { SERVICE_USER, TAG_VALUES, type SystemTag } from '../store/tables.ts'
import { encode, termsOf, type Encoded } from './encoding.ts'
import {
  columnsOf,
  deleteParts,
  insertParts,
  lockedValues,
  replaceTerms,
  settingsOf,
  type StoredTag,
} from './upkeep.ts'
import type { ValueHead } from './reading.ts'

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
