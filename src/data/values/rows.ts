/** Writing and deleting the rows of values. Nothing here checks rights: the callers have them. */
import { idBytes, idText } from '../database/ids.ts'
import { insert, portionsOf, sql } from '../database/sql.ts'
import { TAG_VALUES } from '../store/tables.ts'
import type { WriteTx } from '../store/views.ts'
import type { ValueHead } from './reading.ts'
import {
  columnsOf,
  deleteParts,
  insertParts,
  isAt,
  keyOf,
  lockedValues,
  replaceTerms,
  type NewValue,
  type Place,
} from './upkeep.ts'

/**
 * Receives the value that is about to be replaced or deleted, locked, if there is one; may throw to prevent the change.
 */
export type Check = (current: ValueHead | undefined) => void

/** Who writes the values, and the check on the current value. */
export interface RowWriting {
  readonly userId: number
  readonly check?: Check | undefined
}

/** In key order, like all writers: two that touch the same rows then never deadlock. */
const inKeyOrder = <P extends Place>(places: readonly P[]): P[] =>
  [...places].sort((a, b) => a.tag.id - b.tag.id || (a.object < b.object ? -1 : 1))

/**
 * Sets values of any tags on any objects, each place at most once. `check` receives the current value, so it needs a
 * single place.
 */
export async function writeRows<V>(
  tx: WriteTx<V>,
  values: readonly NewValue[],
  writing: RowWriting,
): Promise<void> {
  for (const some of portionsOf(inKeyOrder(values))) await writeSome(tx, some, writing)
}

async function writeSome<V>(
  tx: WriteTx<V>,
  values: readonly NewValue[],
  { userId, check }: RowWriting,
): Promise<void> {
  const old = await lockedValues(tx, values)
  check?.([...old.values()][0]?.head)
  const rows = values.map(({ tag, object, value }) => ({
    tag_id: tag.id,
    object_id: idBytes(object),
    ...columnsOf(value, tx.now, userId),
  }))
  const isNew = (row: (typeof rows)[number]): boolean => !old.has(keyOf(row.tag_id, idText(row.object_id)))
  const created = rows.filter(isNew)
  const changed = rows.filter((row) => !isNew(row))
  // A plain INSERT: if another writer came first, that value's terms are unknown here, and this transaction must start
  // again.
  if (created.length > 0) await tx.run(insert(TAG_VALUES, created))
  for (const { tag_id: tagId } of created) tx.noteValues(tagId, 1)
  if (changed.length > 0) {
    await tx.run(
      insert(TAG_VALUES, changed, tx.dialect.overwrite(TAG_VALUES.key, TAG_VALUES.columns.slice(2))),
    )
  }
  await deleteParts(tx, old)
  await insertParts(tx, values)
  await replaceTerms(tx, old, values)
}

/** Deletes the values at these places; absent ones count as deleted. `check` needs a single place. */
export async function deleteRows<V>(tx: WriteTx<V>, places: readonly Place[], check?: Check): Promise<void> {
  for (const some of portionsOf(inKeyOrder(places))) {
    const old = await lockedValues(tx, some)
    check?.([...old.values()][0]?.head)
    if (old.size === 0) continue
    await replaceTerms(tx, old, [])
    await deleteParts(tx, old)
    await tx.run(sql`DELETE FROM tag_values WHERE ${isAt(tx, some)}`)
    for (const { tag } of old.values()) tx.noteValues(tag.id, -1)
  }
}
