/** Before tests on MySQL: unless `TEST_DATABASE_URL` names a server, starts a private one and sets it to that. */
import { connectTo } from './database.ts'
import { CHOICES } from './mysql-programs.ts'
import { startMysqlServer, type MysqlServer } from './mysql-server.ts'

declare global {
  /** The private server, for the global teardown. */
  var mysqlServer: MysqlServer | undefined
}

export default async function globalSetup(): Promise<void> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return checkServer(url)
  globalThis.mysqlServer = await startMysqlServer()
  process.env.TEST_DATABASE_URL = globalThis.mysqlServer.url
}

async function checkServer(url: string): Promise<void> {
  try {
    const connection = await connectTo(url)
    await connection.end()
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    throw new Error(`TEST_DATABASE_URL is set, but its server cannot be used (${reason}). ${CHOICES}`, {
      cause: error,
    })
  }
}
