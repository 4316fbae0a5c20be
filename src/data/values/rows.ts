/** Writing and deleting the rows of values. Nothing here checks rights: the callers have them. */
import { idBytes, idText, type ObjectId } from '../database/ids.ts'
import { insert, portionsOf, sql } from '../database/sql.ts'
import { TAG_VALUES } from '../store/tables.ts'
import type { WriteTx } from '../store/views.ts'
import type { Encoded } from './encoding.ts'
import type { ValueHead } from './reading.ts'
import { columnsOf, deleteParts, insertParts, lockedValues, replaceTerms, type StoredTag } from './upkeep.ts'

/**
 * Receives the value that is about to be replaced or deleted, locked, if there is one; may throw to prevent the change.
 */
export type Check = (current: ValueHead | undefined) => void

/** Who writes the values, and the check on the current value. */
export interface RowWriting {
  readonly userId: number
  readonly check?: Check | undefined
}

/** Sets a tag's values on objects, one value each. `check` receives the current value, so it needs a single object. */
export async function writeRows<V>(
  tx: WriteTx<V>,
  tag: StoredTag,
  values: ReadonlyMap<ObjectId, Encoded>,
  writing: RowWriting,
): Promise<void> {
  // In key order, like all writers: two that touch the same rows then never deadlock.
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const some of portionsOf(sorted)) await writeSome(tx, tag, new Map(some), writing)
}

async function writeSome<V>(
  tx: WriteTx<V>,
  tag: StoredTag,
  values: ReadonlyMap<ObjectId, Encoded>,
  { userId, check }: RowWriting,
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
  // A plain INSERT: if another writer came first, that value's terms are unknown here, and this transaction must start
  // again.
  if (created.length > 0) await tx.run(insert(TAG_VALUES, created))
  tx.noteValues(tag.id, created.length)
  if (changed.length > 0) {
    await tx.run(
      insert(TAG_VALUES, changed, tx.dialect.overwrite(TAG_VALUES.key, TAG_VALUES.columns.slice(2))),
    )
  }
  await deleteParts(tx, tag, old)
  await insertParts(tx, tag, values)
  const terms = new Map([...values].map(([object, encoded]) => [object, encoded.terms(tag.indexed)]))
  await replaceTerms(tx, tag, old, terms)
}

/** Deletes tags' values from objects; absent ones count as deleted. `check` needs a single object. */
export async function deleteRows<V>(
  tx: WriteTx<V>,
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
      sql`DELETE FROM tag_values WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.inIds(Buffer.concat(ids))})`,
    )
    tx.noteValues(tag.id, -old.size)
  }
}
