/** What to say at the start: where the data is; or the setting that is wrong, its value, and what to do. */
import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { hostText, readMysqlUrl, type Host, type MysqlAddress } from './data/database/mysql-address.ts'
import type { PassedOver } from './data/database/mysql-hosts.ts'
import { sqlitePath } from './data/database/sqlite.ts'

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
  /** Of several hosts, what is wrong with each. */
  readonly passed?: readonly PassedOver[]
}

/** Where the data is, without the password. */
export function whereabouts(databaseUrl: string): string {
  if (databaseUrl.startsWith('sqlite:')) return `the file ${resolve(sqlitePath(databaseUrl))}`
  const { hosts, database } = readMysqlUrl(databaseUrl)
  return `the database ${database} on ${hosts.map(hostText).join(' or ')}`
}

/** A sentence for an error at the start. */
export function startFailure(error: unknown, { databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  const { code: given, name, message, listen, passed } = error as Failure
  const said = typeof message === 'string' ? message : String(error)
  // The pool gives up when the driver does.
  const code = name === 'KnexTimeoutError' ? 'ETIMEDOUT' : given
  if (typeof code !== 'string') return said
  if (listen !== undefined) return `${listening(code, listen)} (${code})`
  if (databaseUrl.startsWith('sqlite:'))
    return `DATABASE_URL: ${aboutFile(code, sqlitePath(databaseUrl)) ?? said} (${code})`
  const address = readMysqlUrl(databaseUrl)
  const each = passed ?? [{ host: address.hosts[0], code, message: said }]
  return `DATABASE_URL: ${each.map((one) => aboutServer(one, address)).join('; ')}`
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
function aboutFile(code: string, file: string): string | undefined {
  if (code === 'SQLITE_NOTADB') return `'${file}' is not a SQLite database: name another file`
  if (/^SQLITE_(?:CANTOPEN|READONLY)|^E(?:ACCES|PERM|ROFS|NOENT|NOTDIR|ISDIR)$/.test(code))
    return `the file '${file}' cannot be opened for writing: look at its folder and whose it is`
  return undefined
}

/** What is wrong with a server. */
function aboutServer(
  { host, code, message }: PassedOver,
  { user, database, encryption }: MysqlAddress,
): string {
  const address = hostText(host)
  const silent = `nobody answers at ${address}: is the server running, and does it listen there?`
  const foreign = `nobody at ${address} speaks the MySQL protocol`
  const nameless = `no host has the name '${host.name}'`
  const rest =
    encryption.mode === 'DISABLED'
      ? ', the privileges, and whether it requires TLS (ssl-mode)'
      : ' and the privileges'
  const denied = `${address} does not admit the user '${user}': look at the name, the password${rest}`
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
    ER_SECURE_TRANSPORT_REQUIRED: `${address} requires TLS: add ssl-mode to the URL`,
    ER_BAD_DB_ERROR: `${address} has no database '${database}': create it first`,
    ER_READ_ONLY_MODE: `${address} is read-only`,
    HANDSHAKE_NO_SSL_SUPPORT: `${address} offers no TLS: set up a certificate there, or connect with ssl-mode=DISABLED`,
    HANDSHAKE_SSL_ERROR: aboutCertificate(message, host),
  }
  return `${sentences[String(code)] ?? message} (${String(code)})`
}

/** Why TLS with a server failed, by the words of OpenSSL and Node, whose codes the driver replaces. */
function aboutCertificate(message: string, host: Host): string {
  const address = hostText(host)
  if (message.startsWith('Hostname/IP does not match'))
    return `the certificate of ${address} is not for '${host.name}': name the host as its certificate does, or set ssl-mode=VERIFY_CA (${message})`
  if (/issuer certificate|self-signed|first certificate/.test(message))
    return `no authority that is known signed the certificate of ${address}: name the file of the one that did by ssl-ca (${message})`
  return `TLS with ${address} failed: ${message}`
}
