/** Sets one value on a set of objects, or deletes values from a set, in statements that need only ids. */
import { insertEach } from '../database/connection/dialects.ts'
import { IdSet, type SortedIds } from '../database/ids/id-sets.ts'
import { ID_BYTES, idBytes } from '../database/ids/ids.ts'
import { portionsOf, raw, sql, type Sql } from '../database/connection/sql.ts'
import { holdEvery } from '../permissions/permissions.ts'
import type { EveryPermitted, Permitted } from '../permissions/rights.ts'
import { TAG_VALUES, TERMS, VALUE_PARTS } from '../store/tables.ts'
import type { WriteTx } from '../store/views.ts'
import { TYPES_WITH_TERMS, type Encoded } from '../values/encoding.ts'
import { termBytes, type Term } from '../values/terms.ts'
import { VALUE_COLUMNS, type TagSelection, type ValueRow } from '../values/reading.ts'
import { replaceTerms } from '../rows/term-rows.ts'
import { deleteRows } from '../rows/rows.ts'
import {
  columnsOf,
  deleteParts,
  longParts,
  oldValues,
  ROW_ONLY,
  settingsOf,
  termChanges,
  type StoredTag,
  type ValueColumns,
} from '../rows/value-parts.ts'
import { writeValues } from './writing.ts'

/** A value to set, and the right to do so. */
interface TagSetting<V> {
  readonly tag: Permitted<'tag-values.write', V>
  readonly value: Encoded
}

/** Up to this many objects, the values of many tags share their statements; beyond, each tag has its own. */
const FEW_OBJECTS = 50

/** Sets the same values, each of another tag, on every object in `ids`. */
export async function writeValuesOnAll<V>(
  tx: WriteTx<V>,
  ids: SortedIds,
  settings: readonly TagSetting<V>[],
): Promise<void> {
  const sorted = [...settings].sort((a, b) => a.tag.id - b.tag.id)
  if (ids.size <= FEW_OBJECTS) {
    const objects = ids.texts().map((object) => ({ object, id: idBytes(object) }))
    for (const some of portionsOf(sorted)) {
      await writeValues(
        tx,
        some.flatMap((setting) => objects.map((place) => ({ ...setting, ...place }))),
      )
    }
    return
  }
  for (const { tag, value } of sorted)
    for (const portion of ids.portions()) await writeOnPortion(tx, portion, tag, value)
}

/** Sets one value on many objects, in statements whose rows differ only in the id. */
async function writeOnPortion<V>(
  tx: WriteTx<V>,
  ids: SortedIds,
  tag: Permitted<'tag-values.write', V>,
  encoded: Encoded,
): Promise<void> {
  const row = columnsOf(encoded, tx.now, tx.caller.userId)
  const { size } = ids
  const present = await presentAmong(tx, tag, ids)
  // If all objects may have a value, most often all do; and if the value consists only of its row, that is all to know.
  const replaced =
    present === size && isRowOnly(row) ? await tx.run(sql`${updateOf(tx, tag, ids, row)} AND ${ROW_ONLY}`) : 0
  if (replaced === size) return
  const { old, beyondRow } = present === 0 ? none() : await lockedSet(tx, tag, ids)
  const created = ids.without(old)
  // A plain INSERT: if another writer came first, that value's terms are unknown here, and this transaction must start
  // again.
  await tx.insertEach(insertEach(TAG_VALUES, { tag_id: tag.id, ...row }), created)
  tx.noteValues(tag.id, created.size)
  await clearBeyondRow(tx, tag, beyondRow)
  if (old.size > 0) await tx.run(updateOf(tx, tag, old, row))
  await insertTerms(tx, tag, encoded, ids)
  for (const [part, content] of longParts(encoded.content).entries()) {
    await tx.insertEach(insertEach(VALUE_PARTS, { tag_id: tag.id, part, content }), ids)
  }
}

async function insertTerms<V>(
  tx: WriteTx<V>,
  tag: StoredTag,
  encoded: Encoded,
  ids: SortedIds,
): Promise<void> {
  const inserted = new Set<Term>()
  for (const terms of encoded.termsInPortions(tag.indexed)) {
    for (const term of terms) {
      if (inserted.has(term)) continue
      inserted.add(term)
      await tx.insertEach(insertEach(TERMS, { tag_id: tag.id, term: termBytes(term) }), ids)
    }
  }
}

const updateOf = <V>(tx: WriteTx<V>, tag: StoredTag, ids: SortedIds, row: ValueColumns): Sql =>
  sql`UPDATE tag_values SET ${settingsOf(row)}
    WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.inIds(ids.bytes)})`

const isRowOnly = ({ content, type }: ValueColumns): boolean =>
  content !== null && !TYPES_WITH_TERMS.includes(type)

/** How many values a tag has from the first to the last of `ids`, counted up to the number of ids. */
async function presentAmong<V>(tx: WriteTx<V>, tag: StoredTag, ids: SortedIds): Promise<number> {
  const [first, last] = [ids.bytes.subarray(0, ID_BYTES), ids.bytes.subarray(-ID_BYTES)]
  const row = await tx.one<{ n: number }>(sql`
    SELECT COUNT(*) AS n FROM (
      SELECT 1 FROM tag_values ${tx.dialect.useIndex('PRIMARY')}
      WHERE tag_id = ${tag.id} AND object_id >= ${first} AND object_id <= ${last} LIMIT ${raw(String(ids.size))}) c`)
  return row?.n ?? 0
}

interface Present {
  readonly old: SortedIds
  /** The objects whose value has terms or parts. */
  readonly beyondRow: SortedIds
}

const none = (): Present => ({ old: IdSet.of(undefined), beyondRow: IdSet.of(undefined) })

/** The objects among `ids` that have a value of the tag; the values are locked against other writers. */
async function lockedSet<V>(tx: WriteTx<V>, tag: StoredTag, ids: SortedIds): Promise<Present> {
  const rows = await tx.all<{ object_id: Buffer; row_only: number }>(sql`
    SELECT object_id, ${ROW_ONLY} AS row_only FROM tag_values ${tx.dialect.useIndex('PRIMARY')}
    WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.inIds(ids.bytes)}) ORDER BY object_id ${tx.lock}`)
  return {
    old: IdSet.inOrder(Buffer.concat(rows.map((row) => row.object_id))),
    beyondRow: IdSet.inOrder(
      Buffer.concat(rows.filter((row) => row.row_only === 0).map((row) => row.object_id)),
    ),
  }
}

/** Deletes the terms and the parts of locked values before their replacement or deletion. */
async function clearBeyondRow<V>(tx: WriteTx<V>, tag: StoredTag, ids: SortedIds): Promise<void> {
  if (ids.size === 0) return
  const rows = await tx.all<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v ${tx.dialect.useIndex('PRIMARY')}
    WHERE v.tag_id = ${tag.id} AND v.object_id IN (${tx.dialect.inIds(ids.bytes)}) ORDER BY v.object_id`)
  const old = await oldValues(tx, new Map([[tag.id, tag]]), rows)
  await replaceTerms(tx, await termChanges(old, []))
  await deleteParts(tx, old)
}

/** Deletes the selected tags' values from the objects in `ids` (16 bytes each); absent ones count as deleted. */
export async function deleteValues<V>(
  tx: WriteTx<V>,
  ids: SortedIds,
  { named, every }: TagSelection<'tag-values.delete', V>,
): Promise<void> {
  for (const portion of ids.portions()) {
    const tags = [...named, ...(every === undefined ? [] : await tagsOn(tx, portion, every))]
    if (portion.size <= FEW_OBJECTS) {
      const objects = portion.texts()
      for (const some of portionsOf(tags)) {
        await deleteRows(
          tx,
          some.flatMap((tag) => objects.map((object) => ({ tag, object }))),
        )
      }
      continue
    }
    // In the order of ids, like all writers, so that two of them never deadlock.
    for (const tag of tags.sort((a, b) => a.id - b.id)) await deleteOnPortion(tx, tag, portion)
  }
}

/** The tags whose values objects have and the caller may delete. */
async function tagsOn<V>(
  tx: WriteTx<V>,
  ids: SortedIds,
  every: EveryPermitted<'tag-values.delete', V>,
): Promise<StoredTag[]> {
  const tags = await tx.all<{ id: number; indexed: number }>(sql`
    SELECT DISTINCT t.id, t.indexed
    FROM tag_values v ${tx.dialect.useIndex('tag_values_by_object')}
    ${tx.dialect.thenJoin} tags t ON t.id = v.tag_id
    WHERE v.object_id IN (${tx.dialect.inIds(ids.bytes)}) AND ${every.restriction} ORDER BY t.id`)
  holdEvery(
    tx,
    every,
    tags.map((tag) => tag.id),
  )
  return tags.map((tag) => ({ id: tag.id, indexed: tag.indexed === 1 }))
}

async function deleteOnPortion<V>(tx: WriteTx<V>, tag: StoredTag, ids: SortedIds): Promise<void> {
  const deleteAmong = (some: SortedIds, condition = raw('')): Promise<number> =>
    tx.run(sql`DELETE FROM tag_values
      WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.inIds(some.bytes)}) ${condition}`)
  let deleted = await deleteAmong(ids, sql`AND ${ROW_ONLY}`)
  if (deleted < ids.size) {
    const { beyondRow } = await lockedSet(tx, tag, ids)
    await clearBeyondRow(tx, tag, beyondRow)
    if (beyondRow.size > 0) deleted += await deleteAmong(beyondRow)
  }
  tx.noteValues(tag.id, -deleted)
}
