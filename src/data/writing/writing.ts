/** Writing and deleting values of single objects, or of many objects with a value each. */
import { idBytes, type ObjectId } from '../database/ids/ids.ts'
import { list, raw, sql, type Sql } from '../database/connection/sql.ts'
import { isPermitted } from '../permissions/permissions.ts'
import type { Permitted } from '../permissions/rights.ts'
import { microsecondsNow } from '../../scheduling/clock.ts'
import type { Caller, WriteTx } from '../store/views.ts'
import type { Encoded } from '../values/encoding.ts'
import { deleteRows, writeRows, type Check } from '../rows/rows.ts'
import { columnsOf, settingsOf } from '../rows/value-parts.ts'

export type { Check } from '../rows/rows.ts'

/** Sets a tag's value on one object, if `check` allows the replacement of the current one. */
export const writeValue = <V>(
  tx: WriteTx<V>,
  object: ObjectId,
  tag: Permitted<'tag-values.write', V>,
  { value, check }: { readonly value: Encoded; readonly check?: Check | undefined },
): Promise<void> =>
  writeRows(tx, [{ tag, object, id: idBytes(object), value }], { userId: tx.caller.userId, check })

/** A value to set on an object, and the right to do so. */
export interface Setting<V> {
  readonly tag: Permitted<'tag-values.write', V>
  readonly object: ObjectId
  /** The octets of its id. */
  readonly id: Buffer
  readonly value: Encoded
  /** As in `NewValue`. */
  readonly isNew?: boolean
}

/** Sets values of many tags on many objects, each tag at most once on an object. */
export const writeValues = <V>(tx: WriteTx<V>, settings: readonly Setting<V>[]): Promise<void> =>
  writeRows(tx, settings, { userId: tx.caller.userId })

/** Deletes a tag's value from one object, if `check` allows it; an absent value counts as deleted. */
export async function deleteValue<V>(
  tx: WriteTx<V>,
  object: ObjectId,
  tag: Permitted<'tag-values.delete', V>,
  check?: Check,
): Promise<void> {
  await deleteRows(tx, [{ tag, object }], check)
}

/** One value that consists only of its row, for a statement that writes it alone. */
export interface RowOnly {
  readonly caller: Caller
  /** The path of the tag, on which the statement itself requires WRITE. */
  readonly path: string
  readonly tagId: number
  readonly value: Encoded
}

/** An INSERT of a value on an object without one, on condition that the caller may write the tag at that moment. */
export function insertIfPermitted({ caller, path, tagId, value }: RowOnly, object: Buffer): Sql {
  const columns = { tag_id: tagId, object_id: object, ...columnsOf(value, microsecondsNow(), caller.userId) }
  return sql`INSERT INTO tag_values (${raw(Object.keys(columns).join(', '))})
    SELECT ${list(Object.values(columns))}
    FROM tags t WHERE t.id = ${tagId} AND ${isPermitted(caller, 'tag-values.write', path)}`
}

/**
 * An UPDATE of the value on an object, on condition that its last write was at `seen`, and that the caller may write the tag
 * at that moment.
 */
export function replaceIfPermitted(
  { caller, path, tagId, value }: RowOnly,
  object: Buffer,
  seen: number,
): Sql {
  return sql`UPDATE tag_values
    SET ${settingsOf(columnsOf(value, microsecondsNow(), caller.userId))}
    WHERE tag_id = ${tagId} AND object_id = ${object} AND updated_at = ${seen} AND EXISTS (
      SELECT 1 FROM tags t WHERE t.id = ${tagId} AND ${isPermitted(caller, 'tag-values.write', path)})`
}
