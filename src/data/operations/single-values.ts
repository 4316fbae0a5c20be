/**
 * One value of one tag on one object, in as few statements as possible: path, permission and value are resolved
 * together. Whatever that does not settle is done step by step; those steps report the exact errors.
 */
import { findPath } from '../../paths.ts'
import type { TagValue } from '../../tag-value.ts'
import { idBytes, idText, type ObjectId } from '../database/ids.ts'
import { raw, sql, type Sql } from '../database/sql.ts'
import { confirmedBy, statementOf, type Asker, type Claimed } from '../permissions/askers.ts'
import { isPermitted, mayRead, permitTagValue, tagAt } from '../permissions/permissions.ts'
import { refuseForbidden } from '../permissions/rule.ts'
import { permitObjectCreation } from '../permissions/user-rights.ts'
import { hintsOfStores } from '../store/hints.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from '../store/views.ts'
import { getObjectAbout, objectAbout, type ObjectLocator } from '../things/objects.ts'
import { ensureTags } from '../things/tags.ts'
import { Encoded, INLINE_BYTES, sha256, TYPES_WITH_TERMS } from '../values/encoding.ts'
import { headOf, readValue, type StoredValue, type ValueHead, type ValueRow } from '../values/reading.ts'
import {
  deleteValue,
  insertIfPermitted,
  replaceIfPermitted,
  writeValue,
  type Check,
  type LocatedObject,
  type RowOnly,
} from '../values/writing.ts'

/** Where one value is. */
export interface ValueLocator {
  readonly object: ObjectLocator
  /** The path of the tag, as sent. */
  readonly path: string
}

/** SQL for the object of a locator. */
function located(object: ObjectLocator): LocatedObject {
  if ('id' in object) return { join: raw(''), id: sql`${idBytes(object.id)}` }
  return {
    join: sql`JOIN about_values o ON o.about_hash = ${sha256(object.about)}`,
    id: raw('o.object_id'),
  }
}

/** A row of `tag_values` whose place is known. */
type FoundRow = Omit<ValueRow, 'object_id' | 'tag_id'>

/**
 * The value of a tag on an object. A long content is read once `waitForRoom` resolves for its size in octets. Throws
 * `NoSuchObject`, what `permitTagValue` throws, `TNoInstanceOnObject`, and what `confirmed` of the asker and
 * `waitForRoom` throw.
 */
export async function readValueAt(
  store: Store,
  asker: Asker,
  { object, path }: ValueLocator,
  waitForRoom: (sizeBytes: number) => Promise<void>,
): Promise<StoredValue> {
  const { join, id } = located(object)
  const { claimed } = asker
  const row = await store.glance<FoundRow>(
    statementOf(
      claimed,
      (caller, confirming) => sql`
        SELECT v.type, v.content, v.size, v.content_type, v.updated_at
        FROM tags t ${confirming} ${join} JOIN tag_values v ON v.tag_id = t.id AND v.object_id = ${id}
        WHERE ${isPermitted(caller, 'tag-values.read', path)}`,
    ),
  )
  if (row?.content != null) return { ...headOf(row), content: row.content }
  if (row !== undefined) await waitForRoom(row.size)
  const caller = confirmedBy(claimed, row) ?? (await asker.confirmed())
  return store.read(caller, async (tx) => {
    const found = 'id' in object ? object.id : await getObjectAbout(tx, object.about)
    return readValue(tx, found, await permitTagValue(tx, 'read', path))
  })
}

/**
 * Sets the value of a tag on an object, if `check` allows the current one to be replaced. Creates the object (if it is
 * addressed by what it is about), the tag and its namespaces where they are missing. Throws what `ensureTags` and
 * `confirmed` of the asker throw.
 */
export async function writeValueAt(
  store: Store,
  asker: Asker,
  place: ValueLocator,
  { value, check }: { readonly value: TagValue; readonly check: Check | undefined },
): Promise<void> {
  const { object, path } = place
  // Before the words of the value are found, which may take a while.
  if (asker.isAnonymous) refuseForbidden({ caller: await asker.confirmed() }, 'tag-values.write', path)
  const writing = { value: new Encoded(value), check }
  if (await writeRowAlone(store, asker.claimed, place, writing)) return
  await store.write(await asker.confirmed(), async (tx) => {
    const tag = tagAt(await ensureTags(tx, [path]), path)
    const id = 'id' in object ? object.id : await objectAbout(tx, permitObjectCreation(tx), object.about)
    await writeValue(tx, id, tag, writing)
  })
}

/**
 * Deletes the value of a tag on an object, if there is one, and if `check` allows it; that is not asked for a caller who may
 * not read the value, as its answer would tell whether there is one. Throws `NoSuchObject`, and what `permitTagValue`
 * throws.
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

/** What a write must know: the tag, the object, and what the row says about the current value. */
interface Target {
  readonly tag_id: number
  /** Only of an object that is addressed by what it is about. */
  readonly object_id?: Buffer
  readonly type: number | null
  readonly size: number
  readonly content_type: Buffer | null
  readonly updated_at: number
  readonly in_parts: number
}

/** Where a value is. No other tag ever gets the number of one, and no other object the id of one. */
interface Place {
  readonly tagId: number
  /** As a text: the octets of a row are part of what else the database sent with it. */
  readonly object: ObjectId
}

/** Places of values that consisted only of their rows. */
const placesIn = hintsOfStores<Place>()

/** Numbers of tags, by path, where the value that was looked up last was not there: the next one is likely to be new, too. */
const gainingIn = hintsOfStores<number>()

const textOf = ({ object, path }: ValueLocator): string =>
  'id' in object ? `${path} ${object.id}` : `${path} about ${object.about}`

/** What is written, and under which condition. */
interface Writing {
  readonly value: Encoded
  readonly check: Check | undefined
}

/**
 * Writes a value if neither the old nor the new one has terms or parts, so that its row is all there is to write; returns
 * whether it did. What there is is looked up before if there is a condition, or if what is remembered does not help.
 */
async function writeRowAlone(
  store: Store,
  claimed: Claimed,
  locator: ValueLocator,
  { value, check }: Writing,
): Promise<boolean> {
  if (value.content.length > INLINE_BYTES || value.terms(true).length > 0) return false
  const writing = { claimed, path: locator.path, value }
  if (check === undefined && (await writeAsRemembered(store, locator, writing))) return true
  const target = await store.glance<Target>(targetOf(locator))
  gainingIn(store).note(locator.path, target?.type === null ? target.tag_id : undefined)
  if (target === undefined) return false
  const tagId = target.tag_id
  const object = 'id' in locator.object ? locator.object.id : idText(target.object_id as Buffer)
  const current = rowOnlyOf(target)
  placesIn(store).note(textOf(locator), current && { tagId, object })
  return writeOver(store, { ...writing, tagId }, { object, isThere: target.type !== null, current, check })
}

/**
 * Writes a value in one statement, as what is remembered suggests: over the one at its place, or as a new one. Returns whether
 * it did.
 */
async function writeAsRemembered(
  store: Store,
  locator: ValueLocator,
  row: Omit<RowOnly, 'tagId'>,
): Promise<boolean> {
  const place = placesIn(store).find(textOf(locator))
  if (place !== undefined) {
    const there = { ...row, tagId: place.tagId }
    return store.writeRow(replaceIfPermitted(there, idBytes(place.object), undefined), undefined)
  }
  const tagId = gainingIn(store).find(locator.path)
  if (tagId === undefined) return false
  return store.writeRow(insertIfPermitted({ ...row, tagId }, located(locator.object)), tagId)
}

/** What a lookup found: the object, whether there is a value, and which, if it consists only of its row. */
interface Found extends Pick<Writing, 'check'> {
  readonly object: ObjectId
  readonly isThere: boolean
  readonly current: ValueHead | undefined
}

/**
 * Writes a value over what was found; returns whether it did. It does so only if nobody has written since, if the account is
 * still the same, and if the caller may write: what the lookup shows before that is certain goes nowhere.
 */
async function writeOver(
  store: Store,
  row: RowOnly,
  { object, isThere, current, check }: Found,
): Promise<boolean> {
  if (isThere && current === undefined) return false
  if (!allows(check, current)) return false
  return current === undefined
    ? store.writeRow(insertIfPermitted(row, located({ id: object })), row.tagId)
    : store.writeRow(replaceIfPermitted(row, idBytes(object), current.updatedAt), undefined)
}

/** The current value, if it consists only of its row. */
function rowOnlyOf({ type, in_parts: inParts, ...row }: Target): ValueHead | undefined {
  if (type === null || inParts === 1 || TYPES_WITH_TERMS.includes(type)) return undefined
  return headOf({ ...row, type })
}

/** Whether `check` allows the current value to be replaced. Its error is for nobody but those who may write. */
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
