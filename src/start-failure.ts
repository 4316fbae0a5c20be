/** What to say when the service cannot start: the setting, its value, and what to do. */
import type { Config } from './config.ts'

/** Where a server listens, and what the names of the settings begin with that say so. */
export interface Address {
  readonly prefix: '' | 'ADMIN_'
  readonly host: string
  readonly port: number
}

/** What a failure of the system, the driver or the database says of itself. */
interface Failure {
  readonly code?: unknown
  readonly name?: unknown
  /** The address that could not be listened on. */
  readonly listen?: Address
  readonly message?: unknown
}

/** A sentence for an error at the start. */
export function startFailure(error: unknown, config: Pick<Config, 'databaseUrl'>): string {
  const { code: given, name, message, listen } = error as Failure
  const said = typeof message === 'string' ? message : String(error)
  // The pool gives up when the driver does.
  const code = name === 'KnexTimeoutError' ? 'ETIMEDOUT' : given
  if (typeof code !== 'string') return said
  if (listen !== undefined) return `${listening(code, listen)} (${code})`
  const sentence = config.databaseUrl.startsWith('sqlite:')
    ? aboutFile(code, config.databaseUrl)
    : aboutServer(code, new URL(config.databaseUrl))
  return `DATABASE_URL: ${sentence ?? said} (${code})`
}

function listening(code: string, { prefix, host, port }: Address): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${prefix}PORT ${port} is in use on ${host}: choose another one with ${prefix}PORT=...`
    case 'EACCES':
      return `${prefix}PORT ${port} is not for ordinary users: choose one above 1023 with ${prefix}PORT=...`
    default:
      return `${prefix}HOST ${host} is no address of this machine: 127.0.0.1 serves this machine alone, 0.0.0.0 every network`
  }
}

/** What is wrong with a file of SQLite; undefined if only the error itself can say. */
function aboutFile(code: string, databaseUrl: string): string | undefined {
  const file = databaseUrl.slice('sqlite:'.length)
  if (code === 'SQLITE_NOTADB') return `'${file}' is not a SQLite database: name another file`
  if (/^SQLITE_(?:CANTOPEN|READONLY)|^E(?:ACCES|PERM|ROFS|NOENT|NOTDIR|ISDIR)$/.test(code))
    return `the file '${file}' cannot be opened for writing: look at its folder and whose it is`
  return undefined
}

/** What is wrong with a server; undefined if only the error itself can say. */
function aboutServer(code: string, { hostname, port, username, pathname }: URL): string | undefined {
  const address = `${hostname}:${port || '3306'}`
  const [user = '', database = ''] = [username, pathname.slice(1)].map(decodeURIComponent)
  const silent = `nobody answers at ${address}: is the server running, and does it listen there?`
  const foreign = `nobody at ${address} speaks the MySQL protocol`
  const nameless = `no host has the name '${hostname}'`
  const denied = `${address} does not admit the user '${user}': look at the name, the password and the privileges`
  const sentences: Readonly<Record<string, string>> = {
    ECONNREFUSED: silent,
    EHOSTUNREACH: silent,
    ENETUNREACH: silent,
    ETIMEDOUT: foreign,
    PROTOCOL_CONNECTION_LOST: foreign,
    ENOTFOUND: nameless,
    EAI_AGAIN: nameless,
    ER_ACCESS_DENIED_ERROR: denied,
    ER_DBACCESS_DENIED_ERROR: denied,
    ER_BAD_DB_ERROR: `${address} has no database '${database}': create it first`,
  }
  return sentences[code]
}
