/** The data of values outside their rows: terms for searches, and the parts of long values. */
import { parsePrimitive } from '../../model/tag-value.ts'
import { runYielding, yieldsAfter } from '../../scheduling/yielding.ts'
import { idBytes, idText, type ObjectId } from '../database/ids/ids.ts'
import { join, list, sql, type RowOf, type Sql } from '../database/connection/sql.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { VALUE_PARTS, type TAG_VALUES } from '../store/tables.ts'
import {
  INLINE_BYTES,
  PART_BYTES,
  termsInPortions,
  TYPES_WITH_TERMS,
  type Encoded,
} from '../values/encoding.ts'
import {
  contentsInParts,
  headOf,
  isInParts,
  VALUE_COLUMNS,
  type ValueHead,
  type ValueRow,
} from '../values/reading.ts'
import { TermRows, type TermChanges } from './term-rows.ts'

/** The data of a tag that storing its values needs. */
export interface StoredTag {
  readonly id: number
  readonly indexed: boolean
  /** An upper bound on the number of its values, if it is known. */
  readonly valueBound?: number
}

/** The columns of a value's row, except its key. */
export type ValueColumns = Omit<RowOf<typeof TAG_VALUES>, 'tag_id' | 'object_id'>

/** The columns for a value. */
export const columnsOf = (
  { type, sortKey, content, contentType }: Encoded,
  now: number,
  userId: number,
): ValueColumns => ({
  type,
  sort_key: sortKey,
  content: content.length <= INLINE_BYTES ? content : null,
  size: content.length,
  content_type: contentType,
  updated_at: now,
  user_id: userId,
})

/** SQL that is true for values that consist only of their rows: they have neither terms nor parts. */
export const ROW_ONLY = sql`content IS NOT NULL AND type NOT IN (${list(TYPES_WITH_TERMS)})`

/** The SET clause of an UPDATE. Each write of a value gets a later time than the last, even if the clock was set back. */
export const settingsOf = ({ updated_at: now, ...columns }: ValueColumns): Sql => ({
  text: [
    ...Object.keys(columns).map((column) => `${column} = ?`),
    'updated_at = CASE WHEN updated_at < ? THEN ? ELSE updated_at + 1 END',
  ].join(', '),
  values: [...Object.values(columns), now, now],
})

/** The place of a value. */
export interface ValueKey {
  readonly tag: StoredTag
  readonly object: ObjectId
}

/** Identifies a place. */
export const keyText = (tagId: number, object: ObjectId): string => `${String(tagId)}/${object}`

/** A place, and the octets of its object's id. */
interface LocatedPlace extends ValueKey {
  readonly id: Buffer
}

/** The data of a value that its replacement needs. */
export interface OldValue extends LocatedPlace {
  readonly head: ValueHead
  /** The canonical JSON of a value that may have terms. */
  readonly json: Buffer | undefined
  readonly inParts: boolean
}

/** Old values by `keyText`. */
export type OldValues = ReadonlyMap<string, OldValue>

/**
 * Up to this many tags or objects get a condition each. Beyond, the condition lists pairs, which MariaDB analyses slowly if
 * many of them share a tag or an object.
 */
const FEW_GROUPS = 25

/** SQL that is true for the rows at these places, in a table with columns `tag_id` and `object_id`. */
export function isAt<V>(tx: ReadTx<V>, places: readonly ValueKey[]): Sql {
  const byTag = Map.groupBy(places, ({ tag }) => tag.id)
  const byObject = Map.groupBy(places, ({ object }) => object)
  if (Math.min(byTag.size, byObject.size) > FEW_GROUPS) {
    const pairs = places.map(({ tag, object }) => [tag.id, idBytes(object)])
    return sql`(tag_id, object_id) IN (${tx.dialect.inRows(pairs)})`
  }
  const groups =
    byTag.size <= byObject.size
      ? [...byTag].map(([tagId, some]) => {
          const ids = Buffer.concat(some.map(({ object }) => idBytes(object)))
          return sql`(tag_id = ${tagId} AND object_id IN (${tx.dialect.inIds(ids)}))`
        })
      : [...byObject].map(([object, some]) => {
          const tagIds = list(some.map(({ tag }) => tag.id))
          return sql`(object_id = ${idBytes(object)} AND tag_id IN (${tagIds}))`
        })
  return sql`(${join(groups, ' OR ')})`
}

/** The current values at these places, locked against other writers. */
export async function lockedValues<V>(tx: WriteTx<V>, places: readonly ValueKey[]): Promise<OldValues> {
  const rows = await tx.all<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v ${tx.dialect.useIndex('PRIMARY')}
    WHERE ${isAt(tx, places)} ORDER BY v.tag_id, v.object_id ${tx.lock}`)
  return oldValues(tx, new Map(places.map(({ tag }) => [tag.id, tag])), rows)
}

/**
 * The data of `rows` that their replacement or deletion needs: the JSON that their terms come from, and whether they have
 * parts. The rows are in the order of tags, then of objects.
 */
export async function oldValues<V>(
  tx: ReadTx<V>,
  tags: ReadonlyMap<number, StoredTag>,
  rows: readonly ValueRow[],
): Promise<OldValues> {
  const hasTerms = (row: ValueRow): boolean => TYPES_WITH_TERMS.includes(row.type)
  const longContent = contentsInParts(
    tx,
    rows.filter((row) => isInParts(row) && hasTerms(row)),
  )
  const old = new Map<string, OldValue>()
  for (const row of rows) {
    const tag = tags.get(row.tag_id) as StoredTag
    const object = idText(row.object_id)
    const json = hasTerms(row) ? (row.content ?? (await longContent(row))) : undefined
    const known = { head: headOf(row), inParts: isInParts(row), json }
    old.set(keyText(tag.id, object), { tag, object, id: row.object_id, ...known })
  }
  return old
}

/** Deletes the parts of old values. */
export async function deleteParts<V>(tx: WriteTx<V>, old: OldValues): Promise<void> {
  const places = [...old.values()].filter(({ inParts }) => inParts)
  if (places.length > 0) await tx.run(sql`DELETE FROM value_parts WHERE ${isAt(tx, places)}`)
}

/** Inserts the parts of new values. */
export async function insertParts<V>(tx: WriteTx<V>, values: readonly NewValue[]): Promise<void> {
  for (const { tag, id, value } of values) {
    if (value.content.length <= INLINE_BYTES) continue
    for (const [part, content] of longParts(value.content).entries()) {
      await tx.insert(VALUE_PARTS, [{ tag_id: tag.id, object_id: id, part, content }])
    }
  }
}

/** A value to be stored. */
export interface NewValue extends LocatedPlace {
  readonly value: Encoded
  /**
   * Whether the place is known to have no value, as on an object that this transaction has made. If it did have one, the
   * INSERT would fail, and the transaction would start again.
   */
  readonly isNew?: boolean | undefined
}

/** The parts of a content that is too long for its row; none if it fits. */
export const longParts = (content: Buffer): Buffer[] =>
  content.length <= INLINE_BYTES
    ? []
    : Array.from({ length: Math.ceil(content.length / PART_BYTES) }, (_, part) =>
        content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
      )

/**
 * The changes of terms when new values replace old ones, both in key order; tag by tag in their order. Terms of both stay
 * untouched.
 */
export const termChanges = (old: OldValues, fresh: readonly NewValue[]): Promise<TermChanges[]> =>
  runYielding(changedTerms([...old.values()], fresh))

function* changedTerms(
  old: readonly OldValue[],
  fresh: readonly NewValue[],
): Generator<undefined, TermChanges[]> {
  const oldByTag = Map.groupBy(
    old.filter(({ json }) => json !== undefined),
    ({ tag }) => tag.id,
  )
  const freshByTag = Map.groupBy(
    fresh.filter(({ value }) => TYPES_WITH_TERMS.includes(value.type)),
    ({ tag }) => tag.id,
  )
  const changes: TermChanges[] = []
  const tagIds = [...new Set([...oldByTag.keys(), ...freshByTag.keys()])].sort((a, b) => a - b)
  for (const tagId of tagIds)
    changes.push(yield* changedTermsOf(tagId, oldByTag.get(tagId) ?? [], freshByTag.get(tagId) ?? []))
  return changes
}

function* changedTermsOf(
  tagId: number,
  old: readonly OldValue[],
  fresh: readonly NewValue[],
): Generator<undefined, TermChanges> {
  const [gone, added] = [new TermRows(tagId), new TermRows(tagId)]
  for (const [at, { tag, id, value }] of fresh.entries()) {
    for (const terms of value.termsInPortions(tag.indexed)) {
      added.add(id, terms)
      if (yieldsAfter(at, value.content.length)) yield
    }
  }
  for (const { tag, id, json } of old) {
    if (json === undefined) continue
    for (const terms of termsInPortions(parsePrimitive(json.toString()), tag.indexed)) {
      gone.add(id, terms)
      yield
    }
  }
  if (old.length > 0) yield* gone.without(added)
  return { gone, added }
}
