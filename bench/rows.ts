/** Runs a statement once on either database, and returns its rows. */
import Database from 'better-sqlite3'
import { createConnection, type RowDataPacket } from 'mysql2/promise'

/** The rows, by column; binary columns are octets. */
export async function rowsOf(databaseUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  if (databaseUrl.startsWith('sqlite:')) {
    const db = new Database(databaseUrl.slice('sqlite:'.length))
    const rows = db.prepare(statement).all()
    db.close()
    return rows as Record<string, unknown>[]
  }
  const connection = await createConnection(databaseUrl)
  const [rows] = await connection.query<RowDataPacket[]>(statement)
  await connection.end()
  return rows
}
