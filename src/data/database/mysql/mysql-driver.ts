/** The driver of MySQL, loaded at its first use: a service on SQLite never loads it, which saves 5 MB. */
import { createRequire } from 'node:module'
import type * as mysql2 from 'mysql2'

/** Begins to connect. If that fails, the driver passes the error to each command that is sent. */
export function createConnection(options: mysql2.ConnectionOptions): mysql2.Connection {
  const driver = createRequire(import.meta.url)('mysql2') as typeof mysql2
  return driver.createConnection(options)
}
