/** Reads tag values, one or many. */
import { ServiceError } from '../../model/errors.ts'
import type { PrimitiveType } from '../../model/tag-value.ts'
import { free } from '../../model/borrowed-bytes.ts'
import { yieldNow } from '../../scheduling/yielding.ts'
import { idBytes, idText, isSameId, type ObjectId } from '../database/ids/ids.ts'
import type { SortedIds } from '../database/ids/id-sets.ts'
import type { EveryPermitted, Permitted } from '../permissions/rights.ts'
import { list, raw, sql } from '../database/connection/sql.ts'
import { ID_TAG } from '../store/tables.ts'
import { EVERY_VALUE, VALUE } from '../store/costs.ts'
import type { ReadTx } from '../store/views.ts'
import { typeOfCode } from './encoding.ts'

/** A stored value without its content. */
export interface ValueHead {
  readonly tagId: number
  readonly type: PrimitiveType | 'opaque'
  /** The content type of an opaque value. */
  readonly contentType: string | undefined
  /** The size of the content, in octets. */
  readonly sizeBytes: number
  /** Microseconds since 1970. */
  readonly updatedAt: number
}

/** A stored value: the canonical JSON of a primitive, or the bytes of an opaque one. */
export interface StoredValue extends ValueHead {
  readonly content: Buffer
}

/** A row of `tag_values`, with the columns of `VALUE_COLUMNS`. */
export interface ValueRow {
  readonly object_id: Buffer
  readonly tag_id: number
  readonly type: number
  readonly content: Buffer | null
  readonly size: number
  readonly content_type: Buffer | null
  readonly updated_at: number
}

/** The columns of `tag_values`, aliased `v`, that reading a value needs. */
export const VALUE_COLUMNS = raw(
  'v.object_id, v.tag_id, v.type, v.content, v.size, v.content_type, v.updated_at',
)

/** All of a value except its content. */
export const headOf = (row: Omit<ValueRow, 'object_id' | 'content'>): ValueHead => ({
  tagId: row.tag_id,
  type: typeOfCode(row.type),
  contentType: row.content_type?.toString(),
  sizeBytes: row.size,
  updatedAt: row.updated_at,
})

/** The value of a tag on an object. Throws `TNoInstanceOnObject`. */
export async function readValue<V>(
  tx: ReadTx<V>,
  object: ObjectId,
  tag: Permitted<'tag-values.read', V>,
): Promise<StoredValue> {
  if (tag.id === ID_TAG.id) return idValue(object)
  const row = await tx.one<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v WHERE v.tag_id = ${tag.id} AND v.object_id = ${idBytes(object)}`)
  if (row === undefined) throw new ServiceError('TNoInstanceOnObject', { path: tag.path })
  return { ...headOf(row), content: await contentOf(tx, row) }
}

/** The virtual value of `service/id`; it never changes. */
export function idValue(object: ObjectId): StoredValue {
  const content = Buffer.from(JSON.stringify(object))
  const head = { tagId: ID_TAG.id, type: 'string', contentType: undefined, updatedAt: 0 } as const
  return { ...head, sizeBytes: content.length, content }
}

/** The content of a value, joined if it is in parts. */
export const contentOf = async <V>(tx: ReadTx<V>, row: ValueRow): Promise<Buffer> =>
  row.content ?? (await contentsOf(tx, [row])).get(row) ?? Buffer.alloc(0)

/** The columns of a row that finding the parts of its content needs. */
type PartedRow = Pick<ValueRow, 'object_id' | 'tag_id' | 'size'>

/** How many octets of content from parts are in memory at once; a longer content is read alone. */
const PARTS_AT_ONCE = 4 * 1024 * 1024

/**
 * Returns a function that returns the content of a row that has it in parts. Call it for each row in turn, in the order of
 * `rows`, which is that of the objects: each statement reads as many contents as may be in memory at once.
 */
export function contentsInParts<Row extends PartedRow, V>(
  tx: ReadTx<V>,
  rows: readonly Row[],
): (row: Row) => Promise<Buffer> {
  let [held, next] = [new Map<Row, Buffer>(), 0]
  return async (row) => {
    if (!held.has(row)) {
      const from = next
      let octets = 0
      do octets += (rows[next++] as Row).size
      while (next < rows.length && octets + (rows[next] as Row).size <= PARTS_AT_ONCE)
      held = await contentsOf(tx, rows.slice(from, next))
    }
    return held.get(row) as Buffer
  }
}

/** From this number of octets on, reading a content takes milliseconds. */
const YIELD_BYTES = 1024 * 1024

/** The contents of rows, which are in the order of the objects, joined from their parts. */
async function contentsOf<Row extends PartedRow, V>(
  tx: ReadTx<V>,
  rows: readonly Row[],
): Promise<Map<Row, Buffer>> {
  // SQLite reads them synchronously in the serving thread; so of concurrent requests only one reads in each turn.
  if (rows.some(({ size }) => size > YIELD_BYTES)) await yieldNow()
  const contents = new Map<Row, Buffer>()
  for (const [tagId, some] of Map.groupBy(rows, (row) => row.tag_id)) {
    const parts = await tx.all<{ object_id: Buffer; content: Buffer }>(sql`
      SELECT object_id, content FROM value_parts ${tx.dialect.useKeyOfLarge}
      WHERE tag_id = ${tagId} AND object_id IN (${tx.dialect.inIds(Buffer.concat(some.map((row) => row.object_id)))})
      ORDER BY object_id, part`)
    let at = 0
    for (const row of some) {
      const start = at
      while (parts[at]?.object_id.equals(row.object_id) === true) at++
      const read = parts.slice(start, at).map(({ content }) => content)
      contents.set(row, Buffer.concat(read))
      for (const part of read) free(part)
    }
  }
  return contents
}

/** Whether a value's content is not in its row. */
export const isInParts = (row: Pick<ValueRow, 'content'>): boolean => row.content === null

/** A value in a list, with its place and, unless it is opaque, its canonical JSON. */
export interface ListedValue extends ValueHead {
  readonly object: ObjectId
  readonly path: string
  readonly json: Buffer | undefined
}

/** The tags of a bulk operation: named ones, and possibly every one to which the caller has the right. */
export interface TagSelection<P extends 'tag-values.read' | 'tag-values.delete', V> {
  readonly named: readonly Permitted<P, V>[]
  readonly every: EveryPermitted<P, V> | undefined
}

/** An object with its values. */
export interface ObjectValues {
  readonly object: ObjectId
  readonly values: readonly ListedValue[]
}

/** The values of the selected tags on the objects in `ids`, object by object. */
export async function* readValues<V>(
  tx: ReadTx<V>,
  ids: SortedIds,
  { named, every }: TagSelection<'tag-values.read', V>,
): AsyncGenerator<ObjectValues> {
  const stored = named.filter((tag) => tag.id !== ID_TAG.id)
  const withId = stored.length < named.length
  tx.spend(ids.size * valueRows({ named: stored, every }))
  const paths = new Map<number, string>(stored.map((tag) => [tag.id, tag.path]))
  for (const portion of ids.portions()) {
    const rows = await selectedRows(tx, portion, { named: stored, every })
    const inParts = contentsInParts(
      tx,
      rows.filter((row) => isInParts(row) && row.content_type === null),
    )
    let next = 0
    for (const id of portion.each()) {
      const object = idText(id)
      const found: ListedValue[] = withId ? [listed(object, ID_TAG.path, idValue(object))] : []
      for (let row = rows[next]; row !== undefined && isSameId(row.object_id, id); row = rows[++next]) {
        // Awaits only contents in parts: a promise for each value would cost more than the value.
        const json = row.content_type === null ? (row.content ?? (await inParts(row))) : undefined
        found.push({ ...headOf(row), object, path: pathOf(row, paths), json })
      }
      yield { object, values: found }
    }
  }
}

/** The estimated cost of a selection's values on an object, in the units of `costs.ts`. */
export const valueRows = <V>({ named, every }: TagSelection<'tag-values.read', V>): number =>
  named.length * VALUE + (every === undefined ? 0 : EVERY_VALUE)

/** The path of a value's tag, from the row, or from `paths` for a tag that the selection names. */
export const pathOf = (row: ListedRow, paths: ReadonlyMap<number, string>): string =>
  row.path?.toString() ?? paths.get(row.tag_id) ?? ''

/** A row of a selection; it has no path if the selection names the tag, whose path is then known. */
interface ListedRow extends ValueRow {
  readonly path?: Buffer
}

const OBJECT_BY_OBJECT = raw('ORDER BY v.object_id, v.tag_id')

/** The rows of the selected tags on a portion's objects, in that order. */
export function selectedRows<V>(
  tx: ReadTx<V>,
  portion: SortedIds,
  { named, every }: TagSelection<'tag-values.read', V>,
  order = OBJECT_BY_OBJECT,
): Promise<ListedRow[]> {
  const among = sql`v.object_id IN (${tx.dialect.inIds(portion.bytes)})`
  const chosen = sql`v.tag_id IN (${list(named.map((tag) => tag.id))})`
  // Without this index, planners would start from the tags, and read all of their values.
  const values = sql`tag_values v ${tx.dialect.useIndex('tag_values_by_object')}`
  return tx.all<ListedRow>(
    every === undefined
      ? sql`SELECT ${VALUE_COLUMNS} FROM ${values} WHERE ${among} AND ${chosen} ${order}`
      : sql`SELECT ${VALUE_COLUMNS}, t.path FROM ${values} ${tx.dialect.thenJoin} tags t ON t.id = v.tag_id
          WHERE ${among} AND (${chosen} OR ${every.restriction}) ${order}`,
  )
}

/** A value in the form for lists. */
export const listed = (object: ObjectId, path: string, value: StoredValue): ListedValue => ({
  ...value,
  object,
  path,
  json: value.content,
})

/**
 * The canonical JSON of a tag's values on the objects in `ids`, in their order. `further` is a further condition on the
 * rows, aliased `v`.
 */
export async function* readTexts<V>(
  tx: ReadTx<V>,
  ids: SortedIds,
  tag: Permitted<'tag-values.read', V>,
  further = raw('1 = 1'),
): AsyncGenerator<{ id: Buffer; json: string }> {
  for (const portion of ids.portions()) {
    const rows = await tx.all<Pick<ValueRow, 'object_id' | 'tag_id' | 'content' | 'size'>>(sql`
      SELECT v.object_id, v.tag_id, v.content, v.size FROM tag_values v ${tx.dialect.useIndex('PRIMARY')}
      WHERE v.tag_id = ${tag.id} AND v.object_id IN (${tx.dialect.inIds(portion.bytes)}) AND ${further}
      ORDER BY v.object_id`)
    const inParts = contentsInParts(tx, rows.filter(isInParts))
    for (const row of rows) {
      yield { id: row.object_id, json: (row.content ?? (await inParts(row))).toString() }
    }
  }
}
