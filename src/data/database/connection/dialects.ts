/** How SQLite and MySQL differ in syntax and in costs. */
import { ID_BYTES } from '../ids/ids.ts'
import { join, list, raw, sql, type Bindable, type Sql, type Table } from './sql.ts'

/** Everything that differs between the databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql'
  /** Locks the rows that a SELECT returns until the end of the transaction. */
  readonly forUpdate: Sql
  /** Whether a compound SELECT over sorted rows merges them as it reads, instead of building temporary tables. */
  readonly mergesInOrder: boolean
  /** Whether EXPLAIN estimates how many rows a SELECT reads. */
  readonly explainsRows: boolean
  /** How many ids the database reads in the time that it takes to probe for one. */
  readonly probeCost: number
  /**
   * How many rows of a tag the database reads in the order of ids in the time that it takes to find one row by its value and
   * sort it.
   */
  readonly sortCost: number
  /** Makes a statement read a table through the named index, or through its primary key. */
  useIndex(index: string): Sql
  /** Makes a statement read a table of large rows by its primary key. */
  readonly useKeyOfLarge: Sql
  /** Joins tables in the order in which they are written; the planner does not reorder them. */
  readonly thenJoin: Sql
  /**
   * A condition, true for every row, at which SQLite can stop a long statement. Empty for a server that can stop any
   * statement. The condition costs a tenth of a microsecond per row, half of the cost of reading the row.
   */
  readonly stopPoint: Sql
  /**
   * How many INSERTs a transaction sends without waiting for them. On MySQL only one: after a deadlock MySQL rolls the
   * transaction back, and would commit each later statement by itself.
   */
  readonly insertsUnderWay: number
  /** How many rows one INSERT command carries. */
  readonly insertedAtOnce: number
  /** Whether a writer's later statements see what others have committed since its earlier ones. */
  readonly writersOverlap: boolean
  /** How many ids one statement takes at most. */
  readonly mostIds: number
  /**
   * Whether the UTF-8 in a column of octets contains all `texts` (ASCII) in this order with something between them; letter
   * case may be ignored. True for every column that does, and perhaps for others.
   */
  holds(column: Sql, texts: readonly string[]): Sql
  /** Whether a column of octets holds only ASCII without backslashes, so that its JSON has no escapes. */
  isPlain(column: Sql): Sql
  /** Ids, packed 16 bytes each, for `IN (…)`. An empty list matches nothing. */
  inIds(ids: Buffer): Sql
  /** Rows of values, for `(…, …) IN (…)`. */
  inRows(rows: readonly (readonly Bindable[])[]): Sql
  /** Such ids as a parenthesised table with the single column `object_id`. */
  idsAsTable(ids: Buffer): Sql
  /** The end of an INSERT that, if the row's key exists, overwrites the row's other columns. */
  overwrite(key: readonly string[], columns: readonly string[]): Sql
  /** The end of an INSERT that, if the row's key exists, leaves the row as it is. */
  ignoreExisting(key: readonly string[]): Sql
}

export const SQLITE: Dialect = {
  name: 'sqlite',
  writersOverlap: false,
  insertsUnderWay: 8,
  // The rows pass to another thread, and each message costs time. The thread splits them into statements.
  insertedAtOnce: 2_000,
  mergesInOrder: true,
  explainsRows: false,
  probeCost: 12,
  // The ids are bound as one value.
  mostIds: Infinity,
  sortCost: 1,
  // SQLite calls the function for about one row in a thousand.
  stopPoint: raw('AND (random() & 1023 <> 0 OR go_on())'),
  forUpdate: raw(''),
  // The tables are WITHOUT ROWID: reading without an index means reading in the order of the primary key.
  thenJoin: raw('CROSS JOIN'),
  useIndex: (index) => raw(index === 'PRIMARY' ? 'NOT INDEXED' : `INDEXED BY ${index}`),
  // The tables of large rows have row numbers, and their key is an index: without indexes SQLite would read the whole table.
  useKeyOfLarge: raw(''),
  overwrite: (key, columns) =>
    raw(
      `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${columns.map((c) => `${c} = excluded.${c}`).join(', ')}`,
    ),
  ignoreExisting: (key) => raw(`ON CONFLICT (${key.join(', ')}) DO NOTHING`),
  holds: (column, texts) => sql`CAST(${column} AS TEXT) LIKE CAST(${likeTexts(texts)} AS TEXT) ESCAPE '|'`,
  isPlain: (column) =>
    sql`(length(CAST(${column} AS TEXT)) = length(${column}) AND instr(${column}, X'5C') = 0)`,
  inIds: (ids) => (ids.length <= ID_BYTES ? list(eachOf(ids)) : unpacked(ids)),
  inRows: (rows) => sql`VALUES ${rowList(rows)}`,
  idsAsTable: (ids) => sql`(${unpacked(ids)})`,
}

/** The pattern of LIKE for texts that hold others, with something between them. */
const likeTexts = (texts: readonly string[]): string =>
  `%${texts.map((text) => text.replace(/[%_|]/g, '|$&')).join('_%')}%`

const rowList = (rows: readonly (readonly Bindable[])[]): Sql =>
  join(
    rows.map((row) => sql`(${list(row)})`),
    ', ',
  )

const eachOf = (ids: Buffer): Buffer[] =>
  Array.from({ length: ids.length / ID_BYTES }, (_, i) => ids.subarray(i * ID_BYTES, (i + 1) * ID_BYTES))

/** Ids bound as one value: to send a thousand values to SQLite's thread takes longer than to look them up. */
const unpacked = (ids: Buffer): Sql => sql`
  WITH RECURSIVE place (at) AS (
    SELECT 1 UNION ALL SELECT at + ${raw(String(ID_BYTES))} FROM place WHERE at < ${raw(String(ids.length - ID_BYTES + 1))})
  SELECT substr(${ids}, at, ${raw(String(ID_BYTES))}) AS object_id FROM place`

export const MYSQL: Dialect = {
  name: 'mysql',
  writersOverlap: true,
  insertsUnderWay: 1,
  // The rows are one packet, of 16 MiB at most.
  insertedAtOnce: 500,
  mergesInOrder: false,
  explainsRows: true,
  probeCost: 4,
  mostIds: 1000,
  sortCost: 8,
  stopPoint: raw(''),
  forUpdate: raw('FOR UPDATE'),
  thenJoin: raw('STRAIGHT_JOIN'),
  useIndex: (index) => raw(`FORCE INDEX (${index})`),
  useKeyOfLarge: raw('FORCE INDEX (PRIMARY)'),
  // VALUES() rather than a row alias: MariaDB does not support the alias.
  overwrite: (_key, columns) =>
    raw(`ON DUPLICATE KEY UPDATE ${columns.map((c) => `${c} = VALUES(${c})`).join(', ')}`),
  // Not INSERT IGNORE, which would also turn every other error into a warning.
  ignoreExisting: (key) => raw(`ON DUPLICATE KEY UPDATE ${key.map((c) => `${c} = ${c}`).join(', ')}`),
  holds: (column, texts) =>
    sql`CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_general_ci LIKE CONVERT(${likeTexts(texts)} USING utf8mb4) ESCAPE '|'`,
  isPlain: (column) =>
    sql`(CHAR_LENGTH(CONVERT(${column} USING utf8mb4)) = LENGTH(${column}) AND LOCATE(X'5C', ${column}) = 0)`,
  inIds: (ids) => list(eachOf(ids)),
  inRows: rowList,
  // From 8.0.22 on, MySQL returns a parameter in a result as text unless the statement casts it.
  idsAsTable: (ids) =>
    sql`(${join(
      eachOf(ids).map((id) => sql`SELECT CAST(${id} AS BINARY(${raw(String(ID_BYTES))})) AS object_id`),
      ' UNION ALL ',
    )})`,
}

/** An INSERT of one row for each id in a set: `object_id` gets the id; the other columns are the same in every row. */
export interface InsertEach {
  readonly table: string
  readonly columns: readonly string[]
  readonly values: Readonly<Record<string, Exclude<Bindable, string>>>
  /** How the statement ends. */
  readonly conflict: string
}

/** An INSERT of one row for each id into `table`; `row` is the whole row except for its object. */
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
