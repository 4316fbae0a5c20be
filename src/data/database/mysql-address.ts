/** What the driver needs to know of a database URL. */
import type { ConnectionOptions } from 'mysql2'

/** How many prepared statements a connection keeps. */
const PREPARED_STATEMENTS = 200

/** The driver's options for a database URL. */
export function mysqlOptions(databaseUrl: string) {
  const url = new URL(databaseUrl)
  return {
    host: url.hostname,
    port: url.port === '' ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    charset: 'utf8mb4',
    maxPreparedStatements: PREPARED_STATEMENTS,
  } satisfies ConnectionOptions
}
