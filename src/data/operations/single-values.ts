/**
 * One value of one tag on one object, in as few statements as can be: path, permission and value are resolved
 * together. What that does not answer at once is done step by step, and those steps know all the reasons.
 */
import type { TagValue } from '../../tag-value.ts'
import { idBytes, type ObjectId } from '../database/ids.ts'
import { getObjectAbout, objectAbout } from '../things/objects.ts'
import { isPermitted, permitTagValue } from '../permissions/permissions.ts'
import { raw, sql, type Sql } from '../database/sql.ts'
import { microsecondsNow, type Caller, type ReadTx, type Store } from '../store/store.ts'
import { ensureTag } from '../things/tags.ts'
import { encode, INLINE_BYTES, sha256, termsOf, TYPES_WITH_TERMS } from '../values/encoding.ts'
import { insertValue, replaceValue, writeValue, type Check } from '../values/writing.ts'
import { headOf, readValue, VALUE_COLUMNS, type StoredValue, type ValueRow } from '../values/reading.ts'

/** An object by its id, or by what it is about. */
export type Address = { readonly id: ObjectId } | { readonly about: string }

/** SQL for the object at an address: what finds it, joined after `tags t`, and its id. */
function located(address: Address): { join: Sql; object: Sql } {
  if ('id' in address) return { join: raw(''), object: sql`${idBytes(address.id)}` }
  return {
    join: sql`JOIN about_values o ON o.about_hash = ${sha256(address.about)}`,
    object: raw('o.object_id'),
  }
}

/** The value of the tag at `path` on an object. Throws `NoSuchObject`, what `permitTagValue` does, and `TNoInstanceOnObject`. */
export async function readValueAt(
  store: Store,
  caller: Caller,
  address: Address,
  path: string,
): Promise<StoredValue> {
  const { join, object } = located(address)
  const row = await store.glance(caller, (tx) =>
    tx.one<ValueRow>(sql`
      SELECT ${VALUE_COLUMNS} FROM tags t ${join} JOIN tag_values v ON v.tag_id = t.id AND v.object_id = ${object}
      WHERE ${isPermitted(tx, 'tag-values.read', path)}`),
  )
  if (row?.content != null) return { ...headOf(row), content: row.content }
  return store.read(caller, async (tx) => {
    const id = 'id' in address ? address.id : await getObjectAbout(tx, address.about)
    return readValue(tx, id, await permitTagValue(tx, 'read', path))
  })
}

/**
 * Sets the value of the tag at `path` on an object, if `check` lets the one that is there go; an object about
 * something, the tag and its namespaces are made where they are missing. Throws what `ensureTags` does.
 */
export async function writeValueAt(
  store: Store,
  caller: Caller,
  address: Address,
  path: string,
  value: TagValue,
  check: Check,
): Promise<void> {
  if (await writeAlone(store, caller, address, path, value, check)) return
  await store.write(caller, async (tx) => {
    const tag = await ensureTag(tx, path)
    const object = 'id' in address ? address.id : await objectAbout(tx, address.about)
    await writeValue(tx, object, tag, value, check)
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
 * did so. The statement that writes holds only if nobody has written since the one that looked.
 */
async function writeAlone(
  store: Store,
  caller: Caller,
  address: Address,
  path: string,
  value: TagValue,
  check: Check,
): Promise<boolean> {
  const encoded = encode(value)
  if (encoded.content.length > INLINE_BYTES || termsOf(value, true).length > 0) return false
  const target = await store.glance(caller, (tx) => findTarget(tx, address, path))
  if (target === undefined) return false
  if (target.type === null) {
    check(undefined)
    const statement = insertValue(target.tag_id, target.object_id, encoded, microsecondsNow(), caller.userId)
    return store.writeRow(statement, target.tag_id)
  }
  if (target.in_parts === 1 || TYPES_WITH_TERMS.includes(target.type)) return false
  check(headOf({ ...target, type: target.type, content: null }))
  const statement = replaceValue(target.tag_id, target.object_id, encoded, target.updated_at, caller.userId)
  return store.writeRow(statement, undefined)
}

function findTarget(tx: ReadTx, address: Address, path: string): Promise<Target | undefined> {
  const { join, object } = located(address)
  return tx.one<Target>(sql`
    SELECT t.id AS tag_id, ${object} AS object_id, v.type, v.size, v.content_type, v.updated_at,
      v.type IS NOT NULL AND v.content IS NULL AS in_parts
    FROM tags t ${join} LEFT JOIN tag_values v ON v.tag_id = t.id AND v.object_id = ${object}
    WHERE ${isPermitted(tx, 'tag-values.write', path)}`)
}
