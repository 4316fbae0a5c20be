/** The driver of MySQL, loaded when it is first used: where the database is SQLite it never is, which saves 5 MB. */
import { createRequire } from 'node:module'
import type * as mysql2 from 'mysql2'

/** Begins to connect; what fails is told to those who ask something. */
export function createConnection(options: mysql2.ConnectionOptions): mysql2.Connection {
  const driver = createRequire(import.meta.url)('mysql2') as typeof mysql2
  return driver.createConnection(options)
}
