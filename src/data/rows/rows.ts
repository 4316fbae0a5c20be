/** Writes and deletes the rows of values. These functions check no rights: their callers have them. */
import { portionsOf, sql, type RowOf } from '../database/connection/sql.ts'
import { TAG_VALUES } from '../store/tables.ts'
import type { WriteTx } from '../store/views.ts'
import type { ValueHead } from '../values/reading.ts'
import { replaceTerms } from './term-rows.ts'
import {
  columnsOf,
  deleteParts,
  insertParts,
  isAt,
  keyText,
  lockedValues,
  termChanges,
  type NewValue,
  type OldValues,
  type ValueKey,
} from './value-parts.ts'

/** Receives the current value, locked, before its replacement or deletion, or undefined; may throw to prevent the change. */
export type Check = (current: ValueHead | undefined) => void

/** The writer of the values, and the check on the current value. */
export interface RowWriting {
  readonly userId: number
  readonly check?: Check | undefined
}

/** In key order, like all writers: so two writers of the same rows never deadlock. */
const inKeyOrder = <P extends ValueKey>(places: readonly P[]): P[] =>
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
  const size = values.some((value) => mayReplace(tx, value)) ? undefined : tx.dialect.insertedAtOnce
  for (const some of portionsOf(inKeyOrder(values), size)) await writeSome(tx, some, writing)
}

/** Whether there may be a value at the place of a new one. */
const mayReplace = <V>(tx: WriteTx<V>, { tag, isNew }: NewValue): boolean =>
  isNew !== true && !tx.isEmpty(tag)

async function writeSome<V>(
  tx: WriteTx<V>,
  values: readonly NewValue[],
  { userId, check }: RowWriting,
): Promise<void> {
  const replacing = values.filter((value) => mayReplace(tx, value))
  const old: OldValues = replacing.length === 0 ? new Map() : await lockedValues(tx, replacing)
  check?.([...old.values()][0]?.head)
  const rowOf = ({ tag, id, value }: NewValue, now = tx.now): RowOf<typeof TAG_VALUES> => ({
    tag_id: tag.id,
    object_id: id,
    ...columnsOf(value, now, userId),
  })
  const created: RowOf<typeof TAG_VALUES>[] = []
  const changed: RowOf<typeof TAG_VALUES>[] = []
  for (const one of values) {
    const replaced = old.size > 0 ? old.get(keyText(one.tag.id, one.object)) : undefined
    if (replaced !== undefined) {
      // As `settingsOf` does.
      changed.push(rowOf(one, Math.max(tx.now, replaced.head.updatedAt + 1)))
    } else {
      created.push(rowOf(one))
      tx.noteValues(one.tag.id, 1)
    }
  }
  // A plain INSERT: if another writer came first, that value's terms are unknown here, and this transaction must start
  // again.
  const inserting = tx.insert(TAG_VALUES, created)
  // Finding words takes long, and the database works meanwhile.
  const [terms] = await Promise.all([termChanges(old, values), inserting])
  await tx.insert(TAG_VALUES, changed, tx.dialect.overwrite(TAG_VALUES.key, TAG_VALUES.columns.slice(2)))
  await deleteParts(tx, old)
  await insertParts(tx, values)
  await replaceTerms(tx, terms)
}

/** Deletes the values at these places; returns how many there were. `check` needs a single place. */
export async function deleteRows<V>(
  tx: WriteTx<V>,
  places: readonly ValueKey[],
  check?: Check,
): Promise<number> {
  let deleted = 0
  for (const some of portionsOf(inKeyOrder(places))) {
    const old = await lockedValues(tx, some)
    check?.([...old.values()][0]?.head)
    if (old.size === 0) continue
    await replaceTerms(tx, await termChanges(old, []))
    await deleteParts(tx, old)
    await tx.run(sql`DELETE FROM tag_values WHERE ${isAt(tx, some)}`)
    for (const { tag } of old.values()) tx.noteValues(tag.id, -1)
    deleted += old.size
  }
  return deleted
}
