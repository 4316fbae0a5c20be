/** Setting one value on a set of objects, and deleting values from one, in statements that know of ids alone. */
import type { TagValue } from '../../tag-value.ts'
import { difference, portionsOfSet, sizeOf, type IdSet } from '../database/id-sets.ts'
import { ID_BYTES } from '../database/ids.ts'
import type { Permitted } from '../permissions/permissions.ts'
import { insertEach, list, raw, sql, type Sql } from '../database/sql.ts'
import type { WriteTx } from '../store/store.ts'
import { TAG_VALUES, TERMS, VALUE_PARTS } from '../store/tables.ts'
import { encode, termsOf, TYPES_WITH_TERMS, type Encoded } from './encoding.ts'
import {
  columnsOf,
  deleteParts,
  oldValues,
  partsOf,
  replaceTerms,
  settingsOf,
  type StoredTag,
  type ValueColumns,
} from './upkeep.ts'
import { VALUE_COLUMNS, type TagSelection, type ValueRow } from './reading.ts'

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
  // Where all of them may have one, most often all have; of what is no more than a row nothing else has to be known.
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

const updateOf = (tx: WriteTx, tag: StoredTag, ids: IdSet, row: ValueColumns, condition = raw('')): Sql =>
  sql`UPDATE tag_values SET ${settingsOf(row)}
    WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.among(ids)}) ${condition}`

/** True of values that have neither terms nor parts beside their row. */
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
