/** What differs between SQLite and MySQL: how the same thing is spelt, and what it costs. */
import { ID_BYTES } from './ids.ts'
import { join, list, raw, sql, type Bindable, type Sql, type Table } from './sql.ts'

/** What differs between the databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql'
  /** Locks the rows that a SELECT returns until the end of the transaction. */
  readonly forUpdate: Sql
  /** Whether a compound SELECT over rows in order merges them as they come, instead of making tables of them. */
  readonly mergesInOrder: boolean
  /** Whether EXPLAIN estimates how many rows a SELECT reads. */
  readonly explainsRows: boolean
  /** How many ids are read in the time that one is probed for. */
  readonly probeCost: number
  /** How many rows of a tag are read in the order of ids in the time that one is found by its value and sorted. */
  readonly sortCost: number
  /** Reads a table through the index of that name, or through its primary key. */
  useIndex(index: string): Sql
  /** Joins in the order in which the tables are written, whatever the planner thinks. */
  readonly thenJoin: Sql
  /** Whether a writer's later statements see what others have committed since its earlier ones. */
  readonly writersOverlap: boolean
  /** Ids, packed 16 bytes each, for `IN (…)`. No ids at all match nothing. */
  inIds(ids: Buffer): Sql
  /** Such ids as a table with the one column `object_id`, in parentheses. */
  idsAsTable(ids: Buffer): Sql
  /** The end of an INSERT that overwrites the other columns of a row whose key exists. */
  overwrite(key: readonly string[], columns: readonly string[]): Sql
  /** The end of an INSERT that leaves a row whose key exists as it is. */
  ignoreExisting(key: readonly string[]): Sql
}

export const SQLITE: Dialect = {
  name: 'sqlite',
  writersOverlap: false,
  mergesInOrder: true,
  explainsRows: false,
  probeCost: 12,
  sortCost: 1,
  forUpdate: raw(''),
  // The tables are WITHOUT ROWID: not to use an index is to read in the order of the primary key.
  thenJoin: raw('CROSS JOIN'),
  useIndex: (index) => raw(index === 'PRIMARY' ? 'NOT INDEXED' : `INDEXED BY ${index}`),
  overwrite: (key, columns) =>
    raw(
      `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${columns.map((c) => `${c} = excluded.${c}`).join(', ')}`,
    ),
  ignoreExisting: (key) => raw(`ON CONFLICT (${key.join(', ')}) DO NOTHING`),
  inIds: (ids) => (ids.length <= ID_BYTES ? list(eachOf(ids)) : unpacked(ids)),
  idsAsTable: (ids) => sql`(${unpacked(ids)})`,
}

const eachOf = (ids: Buffer): Buffer[] =>
  Array.from({ length: ids.length / ID_BYTES }, (_, i) => ids.subarray(i * ID_BYTES, (i + 1) * ID_BYTES))

/** Ids bound as one value: a thousand take longer to get to SQLite's thread than to be looked up. */
const unpacked = (ids: Buffer): Sql => sql`
  WITH RECURSIVE place (at) AS (
    SELECT 1 UNION ALL SELECT at + ${raw(String(ID_BYTES))} FROM place WHERE at < ${raw(String(ids.length - ID_BYTES + 1))})
  SELECT substr(${ids}, at, ${raw(String(ID_BYTES))}) AS object_id FROM place`

export const MYSQL: Dialect = {
  name: 'mysql',
  writersOverlap: true,
  mergesInOrder: false,
  explainsRows: true,
  probeCost: 4,
  sortCost: 8,
  forUpdate: raw('FOR UPDATE'),
  thenJoin: raw('STRAIGHT_JOIN'),
  useIndex: (index) => raw(`FORCE INDEX (${index})`),
  // VALUES() rather than a row alias: MariaDB has no alias.
  overwrite: (_key, columns) =>
    raw(`ON DUPLICATE KEY UPDATE ${columns.map((c) => `${c} = VALUES(${c})`).join(', ')}`),
  // Not INSERT IGNORE, which would turn every other error into a warning, too.
  ignoreExisting: (key) => raw(`ON DUPLICATE KEY UPDATE ${key.map((c) => `${c} = ${c}`).join(', ')}`),
  inIds: (ids) => list(eachOf(ids)),
  idsAsTable: (ids) =>
    sql`(${join(
      eachOf(ids).map((id) => sql`SELECT ${id} AS object_id`),
      ' UNION ALL ',
    )})`,
}

/** An INSERT of one row for each id of a set: `object_id` gets the id, the other columns are the same in all rows. */
export interface InsertEach {
  readonly table: string
  readonly columns: readonly string[]
  readonly values: Readonly<Record<string, Exclude<Bindable, string>>>
  /** How the statement ends. */
  readonly conflict: string
}

/** Such an INSERT into a table; `row` is all of a row but its object. */
export function insertEach<Row extends Record<string, Bindable> & { object_id: Buffer }>(
  table: Table<Row>,
  row: Omit<Row, 'object_id'>,
  conflict: Sql = raw(''),
): InsertEach {
  const values: Record<string, Exclude<Bindable, string>> = {}
  for (const [column, value] of Object.entries(row as Record<string, Bindable>)) {
    values[column] = typeof value === 'string' ? Buffer.from(value) : value
  }
  return { table: table.name, columns: table.columns, values, conflict: conflict.text }
}
