/** Loads rows into a database as fast as possible: in key order, and creates all other indexes last. */
import { Readable } from 'node:stream'
import Database from 'better-sqlite3'
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'

type Row = Record<string, string | number | Buffer | null>

interface TableColumns {
  readonly name: string
  readonly columns: readonly string[]
}

/** A database with its schema, being filled. */
export interface Loader {
  /** Whether an earlier run filled it. */
  readonly finished: boolean
  open(): Promise<void>
  /** The ids of the tags, by path. */
  tagIds(): Promise<Map<string, number>>
  userId(username: string): Promise<number>
  /** Adds rows, sorted by the primary key. */
  load(table: TableColumns, rows: Iterable<Row>): Promise<void>
  /** Stores the numbers of the tags' values, and marks the store as complete. */
  finish(): Promise<void>
}

/** Sets the upper bound of the number of each tag's values. */
const SET_BOUNDS =
  'UPDATE tags SET value_bound = (SELECT count(*) FROM tag_values v WHERE v.tag_id = tags.id)'

/** Fills a SQLite file. */
export function sqliteLoader(file: string): Loader {
  let db: Database
  return {
    finished: false,
    async open() {
      db = new Database(file)
      db.pragma('journal_mode = OFF')
      db.pragma('synchronous = OFF')
      db.pragma('cache_size = -1000000')
      db.pragma('temp_store = MEMORY')
    },
    async tagIds() {
      const rows = db.prepare('SELECT path, id FROM tags').all() as { path: Buffer; id: number }[]
      return new Map(rows.map(({ path, id }) => [path.toString(), id]))
    },
    async userId(username) {
      const { id } = db.prepare('SELECT id FROM users WHERE username = ?').get(Buffer.from(username)) as {
        id: number
      }
      return id
    },
    async load({ name, columns }, rows) {
      const indexes = db
        .prepare(
          `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`,
        )
        .all(name) as { name: string; sql: string }[]
      for (const index of indexes) db.exec(`DROP INDEX ${index.name}`)
      const places = columns.map(() => '?').join(', ')
      const insert = db.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places})`)
      db.exec('BEGIN')
      for (const row of rows) insert.run(...columns.map((column) => row[column]))
      db.exec('COMMIT')
      for (const index of indexes) db.exec(index.sql)
    },
    async finish() {
      db.exec(SET_BOUNDS)
      db.pragma('journal_mode = WAL')
      db.close()
    },
  }
}

const FINISHED = 'bench_finished'

/** Creates an empty database, and drops an existing one of that name. */
export async function makeDatabase(serverUrl: string, database: string): Promise<void> {
  const server = await createConnection(serverUrl)
  await server.query(`DROP DATABASE IF EXISTS ${database}`)
  await server.query(`CREATE DATABASE ${database}`)
  await server.end()
}

/** The name and version that the server reports. */
export async function mysqlVersion(serverUrl: string): Promise<string> {
  const server = await createConnection(serverUrl)
  const [[row]] = await server.query<RowDataPacket[]>('SELECT version() AS version')
  await server.end()
  const version = String(row?.version)
  return version.includes('MariaDB') ? `MariaDB ${version.replace(/-MariaDB.*/, '')}` : `MySQL ${version}`
}

/** The version of SQLite in the driver. */
export const sqliteVersion = (): string =>
  String(new Database(':memory:').prepare('SELECT sqlite_version()').pluck().get())

/** Creates and fills a database on a MySQL-protocol server, unless an earlier run did. */
export async function mysqlLoader(serverUrl: string, database: string): Promise<Loader> {
  const server = await createConnection(serverUrl)
  const [tables] = await server.query<RowDataPacket[]>(
    'SELECT table_name FROM information_schema.tables WHERE table_schema = ? AND table_name = ?',
    [database, FINISHED],
  )
  await server.end()
  if (tables.length === 0) await makeDatabase(serverUrl, database)
  let connection: Connection
  const query = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
    const [rows] = await connection.query<RowDataPacket[]>(sql, values)
    return rows
  }
  return {
    finished: tables.length > 0,
    async open() {
      connection = await createConnection({ uri: `${serverUrl}${database}`, charset: 'utf8mb4' })
    },
    async tagIds() {
      const rows = await query('SELECT path, id FROM tags')
      return new Map(rows.map(({ path, id }) => [(path as Buffer).toString(), id as number]))
    },
    async userId(username) {
      const [row] = await query('SELECT id FROM users WHERE username = ?', [Buffer.from(username)])
      return row?.id as number
    },
    async load({ name, columns }, rows) {
      const indexes = await query(
        `SELECT index_name AS name, max(non_unique) AS plain, group_concat(column_name ORDER BY seq_in_index) AS columns
        FROM information_schema.statistics
        WHERE table_schema = database() AND table_name = ? AND index_name <> 'PRIMARY' GROUP BY index_name`,
        [name],
      )
      const text = (value: unknown): string => String(value)
      if (indexes.length > 0) {
        const drops = indexes.map((index) => `DROP KEY ${text(index.name)}`)
        await query(`ALTER TABLE ${name} ${drops.join(', ')}`)
      }
      // The search for the terms of all titles takes longer than the server would wait for the first row.
      await query('SET unique_checks = 0, net_read_timeout = 3600')
      const values = columns.map((_, i) => `@c${i}`).join(', ')
      const unhexed = columns.map((column, i) => `${column} = ${decoded(`@c${i}`)}`).join(', ')
      await connection.query({
        sql: `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${name} CHARACTER SET binary (${values}) SET ${unhexed}`,
        infileStreamFactory: () => Readable.from(lines(columns, rows)),
      })
      if (indexes.length > 0) {
        const adds = indexes.map(
          (index) =>
            `ADD ${Number(index.plain) === 0 ? 'UNIQUE ' : ''}KEY ${text(index.name)} (${text(index.columns)})`,
        )
        await query(`ALTER TABLE ${name} ${adds.join(', ')}`)
      }
    },
    async finish() {
      await query(SET_BOUNDS)
      await query('ANALYZE TABLE tag_values, terms, about_values, tags')
      await query(`CREATE TABLE ${FINISHED} (at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)`)
      await connection.end()
    },
  }
}

/** Bytes are written as `x` and hexadecimal digits, anything else unchanged. */
const decoded = (variable: string): string =>
  `IF(LEFT(${variable}, 1) = 'x', UNHEX(SUBSTRING(${variable}, 2)), ${variable})`

const CHUNK = 64 * 1024

function* lines(columns: readonly string[], rows: Iterable<Row>): Generator<Buffer> {
  let text = ''
  for (const row of rows) {
    const cells = columns.map((column) => {
      const cell = row[column]
      return cell == null ? '\\N' : Buffer.isBuffer(cell) ? `x${cell.toString('hex')}` : String(cell)
    })
    text += `${cells.join('\t')}\n`
    if (text.length > CHUNK) {
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(text)
}
