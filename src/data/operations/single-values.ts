/**
 * Reads, writes or deletes one value of one tag on one object, in as few statements as possible: one statement resolves
 * path, permission and value. If that does not succeed, the work is done step by step; those steps report the exact errors.
 */
import { findPath } from '../../model/paths.ts'
import type { TagValue } from '../../model/tag-value.ts'
import { idBytes, idText } from '../database/ids/ids.ts'
import { raw, sql, type Sql } from '../database/connection/sql.ts'
import { isPermitted, mayRead, permitTagValue, tagAt } from '../permissions/permissions.ts'
import { refuseForbidden } from '../permissions/rule.ts'
import { permitObjectCreation } from '../permissions/user-rights.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from '../store/views.ts'
import { getObjectAbout, objectAbout, type ObjectLocator } from '../entities/objects.ts'
import { ensureTags } from '../entities/tags.ts'
import { Encoded, INLINE_BYTES, sha256, TYPES_WITH_TERMS } from '../values/encoding.ts'
import { headOf, readValue, type StoredValue, type ValueHead, type ValueRow } from '../values/reading.ts'
import {
  deleteValue,
  insertIfPermitted,
  replaceIfPermitted,
  writeValue,
  type Check,
} from '../writing/writing.ts'

/** The place of a value. */
export interface ValueLocator {
  readonly object: ObjectLocator
  /** The path of the tag, as sent. */
  readonly path: string
}

/** SQL for the object of a locator. */
function located(object: ObjectLocator): { readonly join: Sql; readonly id: Sql } {
  if ('id' in object) return { join: raw(''), id: sql`${idBytes(object.id)}` }
  return {
    join: sql`JOIN about_values o ON o.about_hash = ${sha256(object.about)}`,
    id: raw('o.object_id'),
  }
}

/** A row of `tag_values` whose place is known. */
type FoundRow = Omit<ValueRow, 'object_id'>

/**
 * The value of a tag on an object. Reads a long content once `reserve` resolves for its size in octets. Throws
 * `NoSuchObject`, `TNoInstanceOnObject`, and the errors of `permitTagValue` and `reserve`.
 */
export async function readValueAt(
  store: Store,
  caller: Caller,
  { object, path }: ValueLocator,
  reserve: (sizeBytes: number) => Promise<void>,
): Promise<StoredValue> {
  const { join, id } = located(object)
  const row = await store.readRow<FoundRow>(sql`
    SELECT v.tag_id, v.type, v.content, v.size, v.content_type, v.updated_at
    FROM tags t ${join} JOIN tag_values v ON v.tag_id = t.id AND v.object_id = ${id}
    WHERE ${isPermitted(caller, 'tag-values.read', path)}`)
  if (row?.content != null) return { ...headOf(row), content: row.content }
  if (row !== undefined) await reserve(row.size)
  return store.read(caller, async (tx) => {
    const found = 'id' in object ? object.id : await getObjectAbout(tx, object.about)
    return readValue(tx, found, await permitTagValue(tx, 'read', path))
  })
}

/**
 * Sets the value of a tag on an object, if `check` allows the replacement of the current one. Creates the object (if the
 * locator has an about value), the tag and its namespaces where they are missing. Throws the errors of `ensureTags`.
 */
export async function writeValueAt(
  store: Store,
  caller: Caller,
  place: ValueLocator,
  { value, check }: { readonly value: TagValue; readonly check: Check | undefined },
): Promise<void> {
  const { object, path } = place
  // Before the encoder finds the words of the value, which may take a while.
  refuseForbidden({ caller }, 'tag-values.write', path)
  const writing = { value: new Encoded(value), check }
  if (await writeRowAlone(store, caller, place, writing)) return
  await store.write(caller, async (tx) => {
    const tag = tagAt(await ensureTags(tx, [path]), path)
    const id = 'id' in object ? object.id : await objectAbout(tx, permitObjectCreation(tx), object.about)
    await writeValue(tx, id, tag, writing)
  })
}

/**
 * Deletes the value of a tag on an object, if it exists and `check` allows it. `check` is skipped for a caller who may not
 * read the value: its result would tell whether the value exists. Throws `NoSuchObject`, and the errors of `permitTagValue`.
 */
export async function deleteValueAt(
  store: Store,
  caller: Caller,
  { object, path }: ValueLocator,
  check: Check | undefined,
): Promise<void> {
  await store.write(caller, async (tx) => {
    refuseForbidden(tx, 'tag-values.delete', path)
    const id = 'id' in object ? object.id : await getObjectAbout(tx, object.about)
    const tag = await permitTagValue(tx, 'delete', path)
    await deleteValue(tx, id, tag, check !== undefined && (await mayRead(tx, path)) ? check : undefined)
  })
}

/** The data that a write needs: the tag, the object, and the columns of the current value. */
interface Target {
  readonly tag_id: number
  /** Only for a locator with an about value. */
  readonly object_id?: Buffer
  readonly type: number | null
  readonly size: number
  readonly content_type: Buffer | null
  readonly updated_at: number
  readonly in_parts: number
}

/** The value to write, and the condition. */
interface Writing {
  readonly value: Encoded
  readonly check: Check | undefined
}

/**
 * The shortcut for the commonest value: if neither the old nor the new value has terms or parts, the write changes only a
 * row. Looks the row up, then writes it by one statement, which succeeds only if the row is unchanged and the caller may
 * write at that moment; until then, nothing of the row is revealed. Returns whether it wrote.
 */
async function writeRowAlone(
  store: Store,
  caller: Caller,
  locator: ValueLocator,
  { value, check }: Writing,
): Promise<boolean> {
  if (value.content.length > INLINE_BYTES || value.terms(true).length > 0) return false
  const target = await store.readRow<Target>(targetOf(locator))
  if (target === undefined) return false
  const current = rowOnlyOf(target)
  if ((target.type !== null && current === undefined) || !allows(check, current)) return false
  const row = { caller, path: locator.path, tagId: target.tag_id, value }
  const object = idBytes('id' in locator.object ? locator.object.id : idText(target.object_id as Buffer))
  return current === undefined
    ? store.writeRow(insertIfPermitted(row, object), row.tagId)
    : store.writeRow(replaceIfPermitted(row, object, current.updatedAt), undefined)
}

/** The current value, if it consists only of its row. */
function rowOnlyOf({ type, in_parts: inParts, ...row }: Target): ValueHead | undefined {
  if (type === null || inParts === 1 || TYPES_WITH_TERMS.includes(type)) return undefined
  return headOf({ ...row, type })
}

/** Whether `check` allows the replacement of the current value. Hides its error, which only writers may see. */
function allows(check: Check | undefined, current: ValueHead | undefined): boolean {
  try {
    check?.(current)
    return true
  } catch {
    return false
  }
}

/** The statement that finds the `Target`. */
function targetOf({ object, path }: ValueLocator): Sql {
  const { join, id } = located(object)
  return sql`
    SELECT t.id AS tag_id, ${'id' in object ? raw('') : raw('o.object_id,')} v.type, v.size, v.content_type, v.updated_at,
      v.type IS NOT NULL AND v.content IS NULL AS in_parts
    FROM tags t ${join} LEFT JOIN tag_values v ON v.tag_id = t.id AND v.object_id = ${id}
    WHERE t.path = ${findPath(path, 2) ?? null}`
}
