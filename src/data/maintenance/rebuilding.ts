/** Returns the room of deleted values to the disk on MySQL and MariaDB: the server makes tables anew. */
import { waitsFor } from '../database/connection/waits.ts'
import type { Session } from '../database/mysql/mysql-session.ts'
import { openSession } from '../database/mysql/mysql-settings.ts'
import { TAG_VALUES, TERMS, VALUE_PARTS } from '../store/tables.ts'

/** How large a table is, as the server estimates it, in octets. */
export interface TableSize {
  readonly name: string
  /** Its rows, and its indexes. */
  readonly rows: number
  readonly indexes: number
  /** Free room in its file. */
  readonly free: number
}

const TABLES = [TAG_VALUES, VALUE_PARTS, TERMS].map(({ name }) => name)

/** The tables whose rows are deleted with values, the smallest first. Rejects with the driver's error. */
export const tableSizes = (databaseUrl: string): Promise<TableSize[]> =>
  onSession(databaseUrl, async (session) => {
    const rows = await session.query<Record<keyof TableSize, unknown>>(`
      SELECT table_name AS name, data_length AS \`rows\`, index_length AS indexes, data_free AS free
      FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name IN (${TABLES.map((name) => `'${name}'`).join(', ')})
      ORDER BY data_length + index_length`)
    return rows.map(({ name, ...sizes }) => ({
      name: String(name),
      rows: Number(sizes.rows),
      indexes: Number(sizes.indexes),
      free: Number(sizes.free),
    }))
  })

/** The statement that makes a table anew. */
export const rebuilding = (table: string): string => `OPTIMIZE TABLE ${table}`

/** Makes a table anew, however long it takes. Rejects with the server's reason. */
export const rebuild = (databaseUrl: string, table: string): Promise<void> =>
  onSession(databaseUrl, async (session) => {
    const said = await session.ask<{ Msg_type: string; Msg_text: string }[]>((driver, done) => {
      driver.query(rebuilding(table), done as (error: Error | null) => void)
    }, true)
    // The server reports a failure as a row.
    const failure = said.find(({ Msg_type: type }) => type.toLowerCase() === 'error')
    if (failure !== undefined) throw new Error(`${table}: ${failure.Msg_text}`)
  })

/** The server works as long as it takes: the connection is given up only if the server does not answer. */
const WAITS = { ...waitsFor(0), longStatement: Infinity }

const SETTINGS = [
  // MySQL otherwise shows sizes that are up to a day old.
  'information_schema_stats_expiry = 0',
  // While the statement waits for transactions on the table, all requests on it wait behind the statement.
  'lock_wait_timeout = 5',
]

async function onSession<T>(databaseUrl: string, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await openSession(databaseUrl, 'row', WAITS, SETTINGS)
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}
