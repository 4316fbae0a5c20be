/** Messages at the start: where the data is; or the faulty setting, its value, and the remedy. */
import { resolve } from 'node:path'
import type { Config } from '../settings/config.ts'
import { failureOf } from '../data/database/connection/failures.ts'
import { hostText, readMysqlUrl, type Host, type MysqlAddress } from '../data/database/mysql/mysql-address.ts'
import type { PassedOver } from '../data/database/mysql/mysql-hosts.ts'
import { sqlitePath } from '../data/database/sqlite/sqlite-file.ts'
import { whoListens } from './port-owner.ts'

/** The address of a server, and the prefix of the settings for it. */
export interface Address {
  readonly prefix: '' | 'ADMIN_'
  readonly host: string
  readonly port: number
}

/** The problem and the remedy; the remedy is empty if only the error itself can tell. */
export interface Trouble {
  readonly what: string
  readonly remedy: string
}

/** The fields of a failure of the system, the driver or the database. */
interface Failure {
  readonly code?: unknown
  readonly name?: unknown
  /** The address on which the server could not listen. */
  readonly listen?: Address
  readonly message?: unknown
  /** The migration that failed. */
  readonly migration?: string
  /** With several hosts, the failure of each. */
  readonly passed?: readonly PassedOver[]
}

/** Where the data is, without the password. */
export function whereabouts(databaseUrl: string): string {
  if (databaseUrl.startsWith('sqlite:')) return `the file ${resolve(sqlitePath(databaseUrl))}`
  const { hosts, database } = readMysqlUrl(databaseUrl)
  return `the database ${database} on ${hosts.map(hostText).join(' or ')}`
}

/** A sentence for an error at the start. */
export const startFailure = (error: unknown, config: Pick<Config, 'databaseUrl'>): string =>
  sentence(startTrouble(error, config))

/** The problem and the remedy in one line. */
export const sentence = ({ what, remedy }: Trouble): string => (remedy === '' ? what : `${what}: ${remedy}`)

/** The problem behind an error at the start. */
export function startTrouble(error: unknown, config: Pick<Config, 'databaseUrl'>): Trouble {
  const { migration } = error as Failure
  const trouble = troubleOf(error, config)
  if (migration === undefined) return trouble
  const kept = config.databaseUrl.startsWith('sqlite:')
    ? 'nothing of it stays'
    : 'the changes that it has made stay'
  return {
    what: `the migration ${migration} failed: ${sentence(trouble).replace(/^DATABASE_URL: /, '')}`,
    remedy: `${kept}; remove the cause, and run gloss migrate again`,
  }
}

function troubleOf(error: unknown, { databaseUrl }: Pick<Config, 'databaseUrl'>): Trouble {
  const { code: given, name, message, listen, passed } = error as Failure
  const said = typeof message === 'string' ? message : String(error)
  // The pool times out when the driver does.
  const code = name === 'KnexTimeoutError' ? 'ETIMEDOUT' : given
  if (name === 'MigrationLocked')
    return {
      what: 'another process is still bringing the schema up to date',
      remedy: 'start again once it has ended',
    }
  // The driver gives no code to statements on a connection that it knows to be gone.
  if (typeof code !== 'string')
    return { what: failureOf(error) === 'lost' ? 'DATABASE_URL: the connection was lost' : said, remedy: '' }
  if (listen !== undefined) return aboutAddress(code, listen)
  if (databaseUrl.startsWith('sqlite:'))
    return ofDatabase(aboutFile(code, sqlitePath(databaseUrl)), said, code)
  const address = readMysqlUrl(databaseUrl)
  if (passed === undefined)
    return ofDatabase(aboutServer({ host: address.hosts[0], code, message: said }, address), said, code)
  const each = passed.map((one) => {
    const about = aboutServer(one, address) ?? { what: one.message, remedy: '' }
    return `${sentence(about)} (${String(one.code)})`
  })
  return { what: `DATABASE_URL: ${each.join('; ')}`, remedy: '' }
}

/** The problem with the database, with the code by which operators can search for it. */
function ofDatabase(about: Trouble | undefined, said: string, code: string): Trouble {
  if (about === undefined || about.remedy === '')
    return { what: `DATABASE_URL: ${about?.what ?? said} (${code})`, remedy: '' }
  return { what: `DATABASE_URL: ${about.what}`, remedy: `${about.remedy} (${code})` }
}

function aboutAddress(code: string, { prefix, host, port }: Address): Trouble {
  switch (code) {
    case 'EADDRINUSE': {
      const owner = whoListens(port)
      const by = owner === undefined ? '' : ` (by ${owner.name}, pid ${owner.pid})`
      return { what: `${prefix}PORT ${port} is in use${by}`, remedy: `choose another with ${prefix}PORT=…` }
    }
    case 'EACCES':
      return {
        what: `${prefix}PORT ${port} is not for ordinary users`,
        remedy: `choose one above 1023 with ${prefix}PORT=…`,
      }
    case 'ENOTFOUND':
      return { what: `${prefix}HOST ${host} is no name that is known`, remedy: LISTENED_ON }
    default:
      return { what: `${prefix}HOST ${host} is no address of this machine`, remedy: LISTENED_ON }
  }
}

const LISTENED_ON = '127.0.0.1 serves this machine alone, 0.0.0.0 every network'

/** The problem with a file of SQLite; undefined if only the error itself can tell. */
function aboutFile(code: string, file: string): Trouble | undefined {
  if (code === 'SQLITE_NOTADB')
    return { what: `'${file}' is not a SQLite database`, remedy: 'name another file' }
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code))
    return { what: `the file '${file}' is locked by another program`, remedy: 'end that one first' }
  if (/^SQLITE_READONLY|^EROFS$/.test(code))
    return {
      what: `the file '${file}' is read-only`,
      remedy: 'make it writable, or copy it and its -wal file to a folder that is, and name the copy',
    }
  if (/^SQLITE_CANTOPEN|^E(?:ACCES|PERM|EXIST|NOENT|NOTDIR|ISDIR)$/.test(code))
    return {
      what: `the file '${file}' cannot be opened for writing`,
      remedy: 'look at its folder and whose it is',
    }
  if (/^SQLITE_FULL$|^ENOSPC$/.test(code))
    return { what: `there is no room for the file '${file}'`, remedy: 'make room, or name another file' }
  return undefined
}

/** The problem with a server; undefined if only the error itself can tell. */
function aboutServer(
  { host, code, message }: PassedOver,
  { user, database, encryption }: MysqlAddress,
): Trouble | undefined {
  const address = hostText(host)
  const silent = {
    what: `nobody answers at ${address}`,
    remedy: 'is the server running, and does it listen there?',
  }
  const foreign = {
    what: `nobody at ${address} speaks the MySQL protocol`,
    remedy: 'look at the host and the port, and whether a firewall is in between',
  }
  const nameless = { what: `no host has the name '${host.name}'`, remedy: 'look at its spelling' }
  const rest =
    encryption.mode === 'DISABLED'
      ? ', the privileges, and whether it requires TLS (ssl-mode)'
      : ' and the privileges'
  const denied = {
    what: `${address} does not admit the user '${user}'`,
    remedy: `look at the name, the password${rest}`,
  }
  const ofGroup = { what: `${address}: ${message}`, remedy: '' }
  const troubles: Readonly<Record<string, Trouble>> = {
    ECONNREFUSED: silent,
    EHOSTUNREACH: silent,
    ENETUNREACH: silent,
    ETIMEDOUT: foreign,
    PROTOCOL_CONNECTION_LOST: foreign,
    ENOTFOUND: nameless,
    EAI_AGAIN: nameless,
    ER_ACCESS_DENIED_ERROR: denied,
    ER_DBACCESS_DENIED_ERROR: denied,
    ER_SECURE_TRANSPORT_REQUIRED: { what: `${address} requires TLS`, remedy: 'add ssl-mode to the URL' },
    ER_BAD_DB_ERROR: { what: `${address} has no database '${database}'`, remedy: 'create it first' },
    ER_READ_ONLY_MODE: {
      what: `${address} is read-only`,
      remedy: 'name the server that writes, or make this one writable',
    },
    GROUP_OUTSIDER: ofGroup,
    GROUP_UNREADABLE: ofGroup,
    HANDSHAKE_NO_SSL_SUPPORT: {
      what: `${address} offers no TLS`,
      remedy: 'set up a certificate there, or connect with ssl-mode=DISABLED',
    },
    HANDSHAKE_SSL_ERROR: aboutCertificate(message, host),
  }
  return troubles[String(code)]
}

/** Why TLS with a server failed, from the messages of OpenSSL and Node, whose codes the driver replaces. */
function aboutCertificate(message: string, host: Host): Trouble {
  const address = hostText(host)
  if (message.startsWith('Hostname/IP does not match'))
    return {
      what: `the certificate of ${address} is not for '${host.name}'`,
      remedy: `name the host as its certificate does, or set ssl-mode=VERIFY_CA (${message})`,
    }
  if (/issuer certificate|self-signed|first certificate/.test(message))
    return {
      what: `no authority that is known signed the certificate of ${address}`,
      remedy: `name the file of the one that did by ssl-ca (${message})`,
    }
  return { what: `TLS with ${address} failed: ${message}`, remedy: '' }
}
