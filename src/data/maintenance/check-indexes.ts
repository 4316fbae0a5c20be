/** Compares the indexes of values with the table: an index that lost rows hides values from queries. */
import type { ReadTx } from '../store/views.ts'
import { Cursor, type Listing } from './cursor.ts'
import { BucketSums } from './derived-rows.ts'
import type { Findings } from './findings.ts'

interface EntryRow {
  readonly tag_id: number
  readonly object_id: Buffer
  readonly sort_key?: Buffer
  readonly user_id?: number
  readonly updated_at?: number
}

/** The indexes of `tag_values`, with their columns and the key of the table, which is the end of each. */
const INDEXES: Readonly<Record<string, readonly (keyof EntryRow)[]>> = {
  tag_values_by_object: ['object_id', 'tag_id'],
  tag_values_by_value: ['tag_id', 'sort_key', 'object_id'],
  tag_values_by_user: ['user_id', 'tag_id', 'updated_at', 'object_id'],
}

/** Reads the whole table, then each whole index. */
export async function checkIndexes<V>(tx: ReadTx<V>, findings: Findings): Promise<void> {
  const indexes = Object.entries(INDEXES).map(([name, columns]) => ({
    name,
    columns,
    sums: new BucketSums(),
  }))
  const key = ['tag_id', 'object_id']
  const columns = [...key, 'sort_key', 'user_id', 'updated_at']
  await each(tx, { table: TABLE, columns, key }, (row) => {
    for (const index of indexes) index.sums.add(row.object_id, entryOf(index.columns, row), 1)
    findings.checked('indexes', indexes.length)
  })
  for (const { name, columns: own, sums } of indexes) {
    try {
      await each(tx, { table: TABLE, columns: own, key: own, index: name }, (row) => {
        sums.add(row.object_id, entryOf(own, row), -1)
      })
    } catch (error) {
      if (!isMissing(error)) throw error
      await findings.broken('indexes', `there is no index ${name}`)
      continue
    }
    if (sums.differing().length > 0) await findings.broken('indexes', `${name} differs from the table`)
  }
}

const TABLE = 'tag_values'

/** An entry of an index, without the object. */
const entryOf = (columns: readonly (keyof EntryRow)[], row: EntryRow): string =>
  columns
    .filter((column) => column !== 'object_id')
    .map((column) => (column === 'sort_key' ? (row.sort_key?.toString('latin1') ?? '') : String(row[column])))
    .join(' ')

async function each<V>(tx: ReadTx<V>, listing: Listing, take: (row: EntryRow) => void): Promise<void> {
  const cursor = await Cursor.open<EntryRow, V>(tx, listing)
  for (let row = cursor.head; row !== undefined; row = cursor.head) {
    take(row)
    const pending = cursor.advance()
    if (pending !== undefined) await pending
  }
}

/** Whether an error of either database says that an index named in a statement does not exist. */
const isMissing = (error: unknown): boolean =>
  /no such index|Key '[^']*' doesn't exist/.test((error as Error).message)
