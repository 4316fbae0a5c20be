/**
 * One value of one tag on one object, in as few statements as possible: path, permission and value are resolved together.
 * What that does not settle at once is done step by step, and those steps know all the reasons.
 */
import type { TagValue } from '../../tag-value.ts'
import { idBytes, type ObjectId } from '../database/ids.ts'
import { raw, sql, type Sql } from '../database/sql.ts'
import { isPermitted, permitTagValue, tagAt } from '../permissions/permissions.ts'
import { permitObjectCreation } from '../permissions/user-rights.ts'
import type { Store } from '../store/store.ts'
import type { Caller, ReadTx } from '../store/views.ts'
import { getObjectAbout, objectAbout } from '../things/objects.ts'
import { ensureTags } from '../things/tags.ts'
import { Encoded, INLINE_BYTES, sha256, TYPES_WITH_TERMS } from '../values/encoding.ts'
import { headOf, readValue, VALUE_COLUMNS, type StoredValue, type ValueRow } from '../values/reading.ts'
import { insertIfPermitted, replaceIfPermitted, writeValue, type Check } from '../values/writing.ts'

/** An object by its id, or by what it is about. */
export type ObjectLocator = { readonly id: ObjectId } | { readonly about: string }

/** The place of one value. */
export interface ValueLocator {
  readonly object: ObjectLocator
  /** The path of the tag, as it was sent. */
  readonly path: string
}

/** SQL for the object of a locator: what finds it, joined after `tags t`, and its id. */
function located(object: ObjectLocator): { join: Sql; id: Sql } {
  if ('id' in object) return { join: raw(''), id: sql`${idBytes(object.id)}` }
  return {
    join: sql`JOIN about_values o ON o.about_hash = ${sha256(object.about)}`,
    id: raw('o.object_id'),
  }
}

/** The value at a place. Throws `NoSuchObject`, what `permitTagValue` does, and `TNoInstanceOnObject`. */
export async function readValueAt(
  store: Store,
  caller: Caller,
  { object, path }: ValueLocator,
): Promise<StoredValue> {
  const { join, id } = located(object)
  const row = await store.glance(caller, (tx) =>
    tx.one<ValueRow>(sql`
      SELECT ${VALUE_COLUMNS} FROM tags t ${join} JOIN tag_values v ON v.tag_id = t.id AND v.object_id = ${id}
      WHERE ${isPermitted(caller, 'tag-values.read', path)}`),
  )
  if (row?.content != null) return { ...headOf(row), content: row.content }
  return store.read(caller, async (tx) => {
    const found = 'id' in object ? object.id : await getObjectAbout(tx, object.about)
    return readValue(tx, found, await permitTagValue(tx, 'read', path))
  })
}

/**
 * Sets the value at a place, if `check` lets the one that is there go; an object about something, the tag and its
 * namespaces are made where they are missing. Throws what `ensureTags` does.
 */
export async function writeValueAt(
  store: Store,
  caller: Caller,
  place: ValueLocator,
  { value, check }: { readonly value: TagValue; readonly check: Check },
): Promise<void> {
  const { object, path } = place
  const writing = { value: new Encoded(value), check }
  if (await writeRowAlone(store, caller, place, writing)) return
  await store.write(caller, async (tx) => {
    const tag = tagAt(await ensureTags(tx, [path]), path)
    const id = 'id' in object ? object.id : await objectAbout(tx, permitObjectCreation(tx), object.about)
    await writeValue(tx, id, tag, writing)
  })
}

/** What a write must know: the tag, the object, and of the value that is there as much as a row says. */
interface Target {
  readonly tag_id: number
  readonly object_id: Buffer
  readonly type: number | null
  readonly size: number
  readonly content_type: Buffer | null
  readonly updated_at: number
  readonly in_parts: number
}

/**
 * Writes a value that neither brings nor leaves terms or parts, so that its row is all there is to write; whether it
 * did so. The statement that writes holds only if nobody has written since the one that looked, and if the caller may
 * still write.
 */
async function writeRowAlone(
  store: Store,
  caller: Caller,
  place: ValueLocator,
  { value, check }: { readonly value: Encoded; readonly check: Check },
): Promise<boolean> {
  if (value.content.length > INLINE_BYTES || value.terms(true).length > 0) return false
  const target = await store.glance(caller, (tx) => findTarget(tx, place))
  if (target === undefined) return false
  const row = { caller, path: place.path, tagId: target.tag_id, object: target.object_id, value }
  if (target.type === null) {
    check(undefined)
    return store.writeRow(insertIfPermitted(row), target.tag_id)
  }
  if (target.in_parts === 1 || TYPES_WITH_TERMS.includes(target.type)) return false
  check(headOf({ ...target, type: target.type, content: null }))
  return store.writeRow(replaceIfPermitted(row, target.updated_at), undefined)
}

function findTarget<V>(tx: ReadTx<V>, { object, path }: ValueLocator): Promise<Target | undefined> {
  const { join, id } = located(object)
  return tx.one<Target>(sql`
    SELECT t.id AS tag_id, ${id} AS object_id, v.type, v.size, v.content_type, v.updated_at,
      v.type IS NOT NULL AND v.content IS NULL AS in_parts
    FROM tags t ${join} LEFT JOIN tag_values v ON v.tag_id = t.id AND v.object_id = ${id}
    WHERE ${isPermitted(tx.caller, 'tag-values.write', path)}`)
}
