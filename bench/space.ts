/** The size of a store on disk, by table and index. */
import { rowsOf } from './rows.ts'

/** The size of a store. */
export interface Space {
  /** The rows of values, including those of the service's own tags. */
  readonly values: number
  readonly bytes: number
  /** The tables and their other indexes, the largest first, without small ones. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[]
}

/** The share of the store below which a table or index counts as small. */
const SMALL = 0.001

/** The used and the free pages of SQLite. */
const SQLITE = `SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate = TRUE
  UNION ALL SELECT 'free', freelist_count * page_size FROM pragma_freelist_count, pragma_page_size`

/** The pages of InnoDB's indexes; the primary one is the table itself. */
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
