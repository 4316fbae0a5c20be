/** Writing and deleting values of single objects, or of many objects with a value each. */
import { idBytes, type ObjectId } from '../database/ids.ts'
import { list, raw, sql, type Sql } from '../database/sql.ts'
import { statementOf, type Claimed } from '../permissions/askers.ts'
import { isPermitted } from '../permissions/permissions.ts'
import type { Permitted } from '../permissions/rights.ts'
import { microsecondsNow, type WriteTx } from '../store/views.ts'
import type { Encoded } from './encoding.ts'
import { deleteRows, writeRows, type Check } from './rows.ts'
import { columnsOf, ROW_ONLY, settingsOf } from './upkeep.ts'

export type { Check } from './rows.ts'

/** Sets a tag's value on one object, if `check` allows the current one to be replaced. */
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
  /** As of `NewValue`. */
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
  /** Whose account the statement itself confirms. */
  readonly claimed: Claimed
  /** The path of the tag, on which the statement itself requires WRITE. */
  readonly path: string
  readonly tagId: number
  readonly value: Encoded
}

/** SQL for an object: the joins that find it, to follow `tags t`, and its id. */
export interface LocatedObject {
  readonly join: Sql
  readonly id: Sql
}

/**
 * An INSERT of a value on an object that has none, provided that there is the object, and that the caller may write the tag at
 * that moment.
 */
export function insertIfPermitted({ claimed, path, tagId, value }: RowOnly, object: LocatedObject): Sql {
  return statementOf(claimed, (caller, confirming) => {
    const columns = { tag_id: tagId, ...columnsOf(value, microsecondsNow(), caller.userId) }
    return sql`INSERT INTO tag_values (object_id, ${raw(Object.keys(columns).join(', '))})
      SELECT ${object.id}, ${list(Object.values(columns))}
      FROM tags t ${confirming} ${object.join}
      WHERE t.id = ${tagId} AND ${isPermitted(caller, 'tag-values.write', path)}`
  })
}

/**
 * An UPDATE of the value on an object, provided that it was last written at `seen` or, if that is undefined, consists only of
 * its row; and that the caller may write the tag at that moment.
 */
export function replaceIfPermitted(
  { claimed, path, tagId, value }: RowOnly,
  object: Buffer,
  seen: number | undefined,
): Sql {
  return statementOf(claimed, (caller, confirming) => {
    return sql`UPDATE tag_values
      SET ${settingsOf(columnsOf(value, microsecondsNow(), caller.userId))}
      WHERE tag_id = ${tagId} AND object_id = ${object}
        AND ${seen === undefined ? ROW_ONLY : sql`updated_at = ${seen}`} AND EXISTS (
        SELECT 1 FROM tags t ${confirming} WHERE t.id = ${tagId} AND ${isPermitted(caller, 'tag-values.write', path)})`
  })
}
