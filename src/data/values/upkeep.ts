/** What is stored of values outside their rows: terms to find them by, and the parts of long values. */
import { parsePrimitive } from '../../tag-value.ts'
import { idBytes, idText, type ObjectId } from '../database/ids.ts'
import { insert, join, portionsOf, sql, type Bindable, type RowOf, type Sql } from '../database/sql.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { TERMS, VALUE_PARTS, type TAG_VALUES } from '../store/tables.ts'
import { INLINE_BYTES, PART_BYTES, termsOf, TYPES_WITH_TERMS, type Encoded } from './encoding.ts'
import {
  contentsInParts,
  headOf,
  isInParts,
  VALUE_COLUMNS,
  type ValueHead,
  type ValueRow,
} from './reading.ts'

/** What must be known of a tag to store its values. */
export interface StoredTag {
  readonly id: number
  readonly indexed: boolean
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

/** The SET clause of an UPDATE. */
export const settingsOf = (columns: Readonly<Record<string, Bindable>>): Sql => ({
  text: Object.keys(columns)
    .map((column) => `${column} = ?`)
    .join(', '),
  values: Object.values(columns),
})

/** What must be known of a value that is about to be replaced. */
export interface OldValue {
  readonly head: ValueHead
  readonly terms: readonly Buffer[]
  readonly inParts: boolean
}

/** The current values of a tag on these objects, locked against other writers. */
export async function lockedValues<V>(
  tx: WriteTx<V>,
  tag: StoredTag,
  ids: readonly Buffer[],
): Promise<Map<ObjectId, OldValue>> {
  return oldValues(
    tx,
    tag,
    await tx.all<ValueRow>(sql`
      SELECT ${VALUE_COLUMNS} FROM tag_values v ${tx.dialect.useIndex('PRIMARY')}
      WHERE v.tag_id = ${tag.id} AND v.object_id IN (${tx.dialect.inIds(Buffer.concat(ids))}) ORDER BY v.object_id ${tx.lock}`),
  )
}

/** What must be known of `rows` that are about to be replaced or deleted: their terms, and whether they have parts. */
export async function oldValues<V>(
  tx: ReadTx<V>,
  tag: StoredTag,
  rows: readonly ValueRow[],
): Promise<Map<ObjectId, OldValue>> {
  const hasTerms = (row: ValueRow): boolean => TYPES_WITH_TERMS.includes(row.type)
  const longContent = contentsInParts(
    tx,
    rows.filter((row) => isInParts(row) && hasTerms(row)),
  )
  const old = new Map<ObjectId, OldValue>()
  for (const row of rows) {
    const json = hasTerms(row) ? (row.content ?? (await longContent(row))).toString() : undefined
    const terms = json === undefined ? [] : termsOf(parsePrimitive(json), tag.indexed)
    old.set(idText(row.object_id), { head: headOf(row), inParts: isInParts(row), terms })
  }
  return old
}

/** Deletes the parts of old values. */
export async function deleteParts<V>(
  tx: WriteTx<V>,
  tag: StoredTag,
  old: ReadonlyMap<ObjectId, OldValue>,
): Promise<void> {
  const ids = [...old].filter(([, value]) => value.inParts).map(([object]) => idBytes(object))
  if (ids.length > 0) {
    await tx.run(
      sql`DELETE FROM value_parts WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.inIds(Buffer.concat(ids))})`,
    )
  }
}

/** Inserts the parts of new values. */
export async function insertParts<V>(
  tx: WriteTx<V>,
  tag: StoredTag,
  values: ReadonlyMap<ObjectId, Encoded>,
): Promise<void> {
  for (const [object, encoded] of values) {
    for (const [part, content] of longParts(encoded.content).entries()) {
      await tx.run(insert(VALUE_PARTS, [{ tag_id: tag.id, object_id: idBytes(object), part, content }]))
    }
  }
}

/** The parts of a content that is too long for its row; none if it fits. */
export const longParts = (content: Buffer): Buffer[] =>
  content.length <= INLINE_BYTES
    ? []
    : Array.from({ length: Math.ceil(content.length / PART_BYTES) }, (_, part) =>
        content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
      )

/** Replaces the terms of old values with those of new ones; terms in both stay untouched. */
export async function replaceTerms<V>(
  tx: WriteTx<V>,
  tag: StoredTag,
  old: ReadonlyMap<ObjectId, OldValue>,
  fresh: ReadonlyMap<ObjectId, readonly Buffer[]>,
): Promise<void> {
  const gone: Sql[] = []
  const added: { tag_id: number; term: Buffer; object_id: Buffer }[] = []
  for (const object of new Set([...old.keys(), ...fresh.keys()])) {
    const before = old.get(object)?.terms ?? []
    const after = fresh.get(object) ?? []
    const id = idBytes(object)
    for (const term of without(before, after)) {
      gone.push(sql`(tag_id = ${tag.id} AND term = ${term} AND object_id = ${id})`)
    }
    for (const term of without(after, before)) added.push({ tag_id: tag.id, term, object_id: id })
  }
  added.sort((a, b) => Buffer.compare(a.term, b.term) || Buffer.compare(a.object_id, b.object_id))
  for (const some of portionsOf(gone)) await tx.run(sql`DELETE FROM terms WHERE ${join(some, ' OR ')}`)
  for (const some of portionsOf(added))
    await tx.run(insert(TERMS, some, tx.dialect.ignoreExisting(TERMS.key)))
}

function without(terms: readonly Buffer[], others: readonly Buffer[]): readonly Buffer[] {
  if (others.length === 0) return terms
  const known = new Set(others.map((term) => term.toString('latin1')))
  return terms.filter((term) => !known.has(term.toString('latin1')))
}
