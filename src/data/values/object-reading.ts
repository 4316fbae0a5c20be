/** Reads objects with their values, in any order. */
import { idText } from '../database/ids/ids.ts'
import { IdSet } from '../database/ids/id-sets.ts'
import { raw, sql } from '../database/connection/sql.ts'
import { VALUE } from '../store/costs.ts'
import { ID_TAG, SYSTEM_TAGS } from '../store/tables.ts'
import type { ReadTx } from '../store/views.ts'
import {
  contentOf,
  headOf,
  idValue,
  listed,
  pathOf,
  selectedRows,
  valueRows,
  VALUE_COLUMNS,
  type ListedValue,
  type ObjectValues,
  type TagSelection,
  type ValueRow,
} from './reading.ts'

/** An object with its values and its about value. */
export interface FoundObject extends ObjectValues {
  /** Canonical JSON of a string; undefined if the object has no about value. */
  readonly about: Buffer | undefined
}

/**
 * The about values of objects, and the values of the selected tags on them, in the order of `objects`. Reads long values one
 * after the other, so that only those of one object are in memory.
 */
export async function* readObjects<V>(
  tx: ReadTx<V>,
  objects: readonly Buffer[],
  { named, every }: TagSelection<'tag-values.read', V>,
): AsyncGenerator<FoundObject> {
  if (objects.length === 0) return
  const ids = IdSet.inOrder(Buffer.concat([...objects].sort((a, b) => Buffer.compare(a, b))))
  const stored = named.filter((tag) => tag.id !== ID_TAG.id)
  tx.spend(objects.length * (VALUE + valueRows({ named: stored, every })))
  const paths = new Map<number, string>(stored.map((tag) => [tag.id, tag.path]))
  const isAny = stored.length > 0 || every !== undefined
  // Unsorted: the rows are grouped by object below in any case, and databases would sort them in a temporary table.
  const rows = isAny ? await selectedRows(tx, ids, { named: stored, every }, raw('')) : []
  const aboutOf = await readAbouts(tx, objects)
  const byObject = Map.groupBy(rows, (row) => mapKey(row.object_id))
  for (const id of objects) {
    const object = idText(id)
    const values: ListedValue[] =
      stored.length < named.length ? [listed(object, ID_TAG.path, idValue(object))] : []
    for (const row of (byObject.get(mapKey(id)) ?? []).sort((a, b) => a.tag_id - b.tag_id)) {
      const json = row.content_type === null ? await contentOf(tx, row) : undefined
      values.push({ ...headOf(row), object, path: pathOf(row, paths), json })
    }
    yield { object, values, about: await aboutOf(id) }
  }
}

/**
 * Returns a function that returns the about value of one of these objects, at most 1,000: canonical JSON of a string, or
 * undefined if it has none.
 */
export async function readAbouts<V>(
  tx: ReadTx<V>,
  objects: readonly Buffer[],
): Promise<(id: Buffer) => Promise<Buffer | undefined>> {
  const rows = await tx.all<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v ${tx.dialect.useIndex('PRIMARY')}
    WHERE v.tag_id = ${SYSTEM_TAGS.about.id} AND v.object_id IN (${tx.dialect.inIds(Buffer.concat(objects))})`)
  const byObject = new Map(rows.map((row) => [mapKey(row.object_id), row]))
  return async (id) => {
    const row = byObject.get(mapKey(id))
    return row && (await contentOf(tx, row))
  }
}

const mapKey = (id: Buffer): string => id.toString('latin1')
