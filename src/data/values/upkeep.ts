/** What is stored of values outside their rows: terms to find them by, and the parts of long values. */
import { parsePrimitive } from '../../tag-value.ts'
import { idBytes, idText, type ObjectId } from '../database/ids.ts'
import { join, list, portionsOf, sql, type Bindable, type RowOf, type Sql } from '../database/sql.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { TERMS, VALUE_PARTS, type TAG_VALUES } from '../store/tables.ts'
import {
  INLINE_BYTES,
  PART_BYTES,
  termBytes,
  termsOf,
  TYPES_WITH_TERMS,
  type Encoded,
  type Term,
} from './encoding.ts'
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

/** Where a value is, or will be. */
export interface Place {
  readonly tag: StoredTag
  readonly object: ObjectId
}

/** Identifies a place. */
export const keyOf = (tagId: number, object: ObjectId): string => `${String(tagId)}/${object}`

/** What must be known of a value that is about to be replaced. */
export interface OldValue extends Place {
  readonly head: ValueHead
  readonly terms: readonly Term[]
  readonly inParts: boolean
}

/** Old values by `keyOf`. */
export type OldValues = ReadonlyMap<string, OldValue>

/**
 * Up to how many tags or objects have a condition each. Beyond, pairs are listed, which MariaDB takes long to analyse where
 * many of them have the same tag or the same object.
 */
const FEW_GROUPS = 25

/** SQL that is true for the rows at these places, in a table with columns `tag_id` and `object_id`. */
export function isAt<V>(tx: ReadTx<V>, places: readonly Place[]): Sql {
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
export async function lockedValues<V>(tx: WriteTx<V>, places: readonly Place[]): Promise<OldValues> {
  const rows = await tx.all<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v ${tx.dialect.useIndex('PRIMARY')}
    WHERE ${isAt(tx, places)} ORDER BY v.tag_id, v.object_id ${tx.lock}`)
  return oldValues(tx, new Map(places.map(({ tag }) => [tag.id, tag])), rows)
}

/**
 * What must be known of `rows` that are about to be replaced or deleted: their terms, and whether they have parts. The
 * rows are in the order of tags, then of objects.
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
    const json = hasTerms(row) ? (row.content ?? (await longContent(row))).toString() : undefined
    const terms = json === undefined ? [] : termsOf(parsePrimitive(json), tag.indexed)
    old.set(keyOf(tag.id, object), { tag, object, head: headOf(row), inParts: isInParts(row), terms })
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
  for (const { tag, object, value } of values) {
    for (const [part, content] of longParts(value.content).entries()) {
      await tx.insert(VALUE_PARTS, [{ tag_id: tag.id, object_id: idBytes(object), part, content }])
    }
  }
}

/** A value to be stored. */
export interface NewValue extends Place {
  readonly value: Encoded
}

/** The parts of a content that is too long for its row; none if it fits. */
export const longParts = (content: Buffer): Buffer[] =>
  content.length <= INLINE_BYTES
    ? []
    : Array.from({ length: Math.ceil(content.length / PART_BYTES) }, (_, part) =>
        content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
      )

/** Which terms a change of values removes and adds. */
export interface TermChanges {
  readonly gone: TermSet
  readonly added: TermSet
}

/** What replacing old values by new ones, which are in key order, does to terms; terms in both stay untouched. */
export function termChanges(old: OldValues, fresh: readonly NewValue[]): TermChanges {
  const gone = new TermSet()
  const added = new TermSet()
  const kept = new Set<string>()
  for (const { tag, object, value } of fresh) {
    const now = value.terms(tag.indexed)
    const key = old.size === 0 ? '' : keyOf(tag.id, object)
    const before = old.get(key)?.terms ?? []
    kept.add(key)
    gone.add({ tag, object }, without(before, now))
    added.add({ tag, object }, without(now, before))
  }
  for (const [key, one] of old) if (!kept.has(key)) gone.add(one, one.terms)
  return { gone, added }
}

/** Stores changes of terms. */
export async function replaceTerms<V>(tx: WriteTx<V>, { gone, added }: TermChanges): Promise<void> {
  for (const some of portionsOf(gone.rows())) {
    const rows = some.map((row) => [row.tag_id, row.term, row.object_id])
    await tx.run(sql`DELETE FROM terms WHERE (tag_id, term, object_id) IN (${tx.dialect.inRows(rows)})`)
  }
  await tx.insert(TERMS, added.rows(), tx.dialect.ignoreExisting(TERMS.key))
}

/** Rows of terms in the order of their key. Most words are in many values at once, so they are grouped, not sorted. */
class TermSet {
  readonly #tags = new Map<number, Map<Term, Buffer[]>>()

  /** Adds terms of a value; the values of a tag come in the order of their objects. */
  add({ tag, object }: Place, terms: readonly Term[]): void {
    if (terms.length === 0) return
    const id = idBytes(object)
    const byTerm = this.#tags.get(tag.id) ?? new Map<Term, Buffer[]>()
    this.#tags.set(tag.id, byTerm)
    for (const term of terms) {
      const objects = byTerm.get(term)
      if (objects === undefined) byTerm.set(term, [id])
      else objects.push(id)
    }
  }

  *rows(): Generator<RowOf<typeof TERMS>> {
    for (const [tagId, byTerm] of [...this.#tags].sort(([a], [b]) => a - b)) {
      for (const [term, objects] of [...byTerm].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const bytes = termBytes(term)
        for (const object of objects) yield { tag_id: tagId, term: bytes, object_id: object }
      }
    }
  }
}

const without = (terms: readonly Term[], others: readonly Term[]): readonly Term[] => {
  if (others.length === 0) return terms
  const known = new Set(others)
  return terms.filter((term) => !known.has(term))
}
