/** What a store takes on disk, table by table and index by index. */
import { rowsOf } from './rows.ts'

/** The size of a store. */
export interface Space {
  /** The rows of values, those of the service's own tags included. */
  readonly values: number
  readonly bytes: number
  /** Tables, under their own names, and their other indexes, the largest first; what is small is left out. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[]
}

/** What is less than this share of the store is left out. */
const SMALL = 0.001

/** SQLite's pages that are in use, and those that are free. */
const SQLITE = `SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate = TRUE
  UNION ALL SELECT 'free', freelist_count * page_size FROM pragma_freelist_count, pragma_page_size`

/** The pages of InnoDB's indexes, of which the primary one is the table itself. */
const MYSQL = `SELECT IF(index_name = 'PRIMARY', table_name, index_name) AS name, stat_value * @@innodb_page_size AS bytes
  FROM mysql.innodb_index_stats WHERE database_name = database() AND stat_name = 'size'`

/** The size of a store. */
export async function spaceOf(databaseUrl: string): Promise<Space> {
  const isSqlite = databaseUrl.startsWith('sqlite:')
  if (!isSqlite) await rowsOf(databaseUrl, 'ANALYZE TABLE tag_values, terms, about_values, value_parts')
  const rows = await rowsOf(databaseUrl, isSqlite ? SQLITE : MYSQL)
  const [counted] = await rowsOf(databaseUrl, 'SELECT count(*) AS n FROM tag_values')
  const parts = rows.map((row) => ({ name: String(row.name), bytes: Number(row.bytes) }))
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  const large = parts.filter((part) => part.bytes >= bytes * SMALL)
  return { values: Number(counted?.n), bytes, parts: large.sort((a, b) => b.bytes - a.bytes) }
}
