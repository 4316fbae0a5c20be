/** SQL as text with bound values, and the few places where SQLite and MySQL spell the same thing differently. */
import { ID_BYTES } from './ids.ts'
import { bytesOf, type IdSet } from './id-sets.ts'

/** What may be bound. Text columns hold bytes, so strings are bound as UTF-8 and compare exactly everywhere. */
export type Bindable = string | number | Buffer | null

/** A piece of SQL: text with a `?` for each value. */
export interface Sql {
  readonly text: string
  readonly values: readonly Bindable[]
}

/** SQL from a template: a piece of SQL is spliced in, anything else becomes a bound value. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Bindable | Sql)[]): Sql {
  let text = strings[0] ?? ''
  const values: Bindable[] = []
  parts.forEach((part, i) => {
    const piece = isSql(part) ? part : { text: '?', values: [part] }
    text += piece.text + (strings[i + 1] ?? '')
    values.push(...piece.values)
  })
  return { text, values }
}

const isSql = (part: Bindable | Sql): part is Sql =>
  typeof part === 'object' && part !== null && !Buffer.isBuffer(part)

/** Bound values separated by commas, for `IN (…)`. No values at all match nothing. */
export const list = (values: readonly Bindable[]): Sql =>
  values.length === 0 ? raw('NULL') : { text: values.map(() => '?').join(', '), values }

/** SQL text as it stands: for names and keywords of this code's own, never for input. */
export const raw = (text: string): Sql => ({ text, values: [] })

/** Pieces of SQL with `separator` between them. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  return {
    text: pieces.map((piece) => piece.text).join(separator),
    values: pieces.flatMap((piece) => piece.values),
  }
}

/** What a table's rows are keyed by and hold, for statements that are built from rows. */
export interface Table<Row extends Record<string, Bindable>> {
  readonly name: string
  readonly key: readonly (keyof Row & string)[]
  readonly columns: readonly (keyof Row & string)[]
}

/** A row of a table. */
export type RowOf<T> = T extends Table<infer Row> ? Row : never

/** What differs between the databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql'
  /** Locks the rows that a SELECT returns until the end of the transaction. */
  readonly forUpdate: Sql
  /** Whether a compound SELECT over rows in order merges them as they come, instead of making tables of them. */
  readonly mergesInOrder: boolean
  /** Whether EXPLAIN tells about how many rows a SELECT reads. */
  readonly explainsRows: boolean
  /** How many ids are read in the time that one is probed for. */
  readonly probeCost: number
  /** How many rows of a tag are read in the order of ids in the time that one is found by its value and sorted. */
  readonly sortCost: number
  /** Reads a table through the index of that name, or through its primary key. */
  useIndex(index: string): Sql
  /** Joins in the order in which the tables are written, whatever the planner thinks. */
  readonly thenJoin: Sql
  /** A set of ids, for `IN (…)`. No ids at all match nothing. */
  among(ids: IdSet): Sql
  /** A set of ids as a table with the one column `object_id`, in parentheses. */
  given(ids: IdSet): Sql
  /** The end of an INSERT that overwrites the other columns of a row whose key exists. */
  overwrite(key: readonly string[], columns: readonly string[]): Sql
  /** The end of an INSERT that leaves a row whose key exists as it is. */
  keep(key: readonly string[]): Sql
}

export const SQLITE: Dialect = {
  name: 'sqlite',
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
  keep: (key) => raw(`ON CONFLICT (${key.join(', ')}) DO NOTHING`),
  among: (ids) => (ids.length <= ID_BYTES ? list(bytesOf(ids)) : unpacked(ids)),
  given: (ids) => sql`(${unpacked(ids)})`,
}

/** Ids bound as one value: a thousand take longer to get to SQLite's thread than to be looked up. */
const unpacked = (ids: IdSet): Sql => sql`
  WITH RECURSIVE place (at) AS (
    SELECT 1 UNION ALL SELECT at + ${raw(String(ID_BYTES))} FROM place WHERE at < ${raw(String(ids.length - ID_BYTES + 1))})
  SELECT substr(${ids}, at, ${raw(String(ID_BYTES))}) AS object_id FROM place`

export const MYSQL: Dialect = {
  name: 'mysql',
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
  keep: (key) => raw(`ON DUPLICATE KEY UPDATE ${key.map((c) => `${c} = ${c}`).join(', ')}`),
  among: (ids) => list(bytesOf(ids)),
  given: (ids) =>
    sql`(${join(
      bytesOf(ids).map((id) => sql`SELECT ${id} AS object_id`),
      ' UNION ALL ',
    )})`,
}

/** An INSERT of rows, ended by `conflict`. Rows go in key order, which is what keeps writers from deadlocks. */
export function insert<Row extends Record<string, Bindable>>(
  table: Table<Row>,
  rows: readonly Row[],
  conflict: Sql = raw(''),
): Sql {
  const tuples = rows.map((row) => sql`(${list(table.columns.map((column) => row[column] as Bindable))})`)
  return sql`INSERT INTO ${raw(table.name)} (${raw(table.columns.join(', '))}) VALUES ${join(tuples, ', ')} ${conflict}`
}

/** An INSERT of one row for each id of a set: `object_id` gets the id, the other columns are alike in all rows. */
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

/** Rows or keys of one statement: bounds its size, the memory that it takes, and how many values it binds. */
const AT_ONCE = 500

/** `items` in portions that one statement takes. */
export function* portionsOf<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += AT_ONCE) yield items.slice(start, start + AT_ONCE)
}
