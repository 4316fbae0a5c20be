/** Reads a database URL: the hosts, the account, the database and the encryption. No other file reads one. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import type { ConnectionOptions, SslOptions } from 'mysql2'

/** One server, by its name or its address, without brackets. */
export interface Host {
  readonly name: string
  readonly port: number
}

/** The server that a connection leads to, and the account that it uses. */
export interface Target {
  readonly host: Host
  readonly user: string
  readonly password: string
  readonly database: string
  readonly encryption: Encryption
}

/** The contents of a database URL. */
export interface MysqlAddress extends Omit<Target, 'host'> {
  /** In the order of preference. */
  readonly hosts: readonly [Host, ...Host[]]
}

/** Names and words of MySQL's own programs. `files`: paths of PEM files, by parameter. */
interface Encryption {
  readonly mode: (typeof MODES)[number]
  readonly files: Readonly<Partial<Record<(typeof FILES)[number], string>>>
}

const MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const
const FILES = ['ssl-ca', 'ssl-cert', 'ssl-key'] as const
const PARAMETERS = ['ssl-mode', ...FILES]

const FORM = 'mysql://user:password@host:port/database'
const DEFAULT_PORT = 3306
/** Each host gets a share of the time to connect. */
const MOST_HOSTS = 8
/** How many prepared statements a connection keeps. */
const PREPARED_STATEMENTS = 200

/** Reads a URL of MySQL. Throws an error that names the fault and does not repeat a part that may be secret. */
export function readMysqlUrl(databaseUrl: string): MysqlAddress {
  // `URL` takes one host only, and shows the whole text, with the password, in its errors.
  const [, authority = '', path = '', query = ''] =
    /^mysql:\/\/([^/?#\s]+)\/([^/?#\s]+)(?:\?([^#\s]*))?$/i.exec(databaseUrl) ?? []
  if (authority === '')
    throw new Error(`must be ${FORM}, with the characters /?#%@ of a password as %2F%3F%23%25%40`)
  const at = authority.lastIndexOf('@')
  const account = authority.slice(0, Math.max(at, 0))
  const [user = ''] = account.split(':', 1)
  return {
    hosts: readHosts(authority.slice(at + 1)),
    user: decoded(user, 'the user'),
    password: decoded(account.slice(user.length + 1), 'the password'),
    database: decoded(path, 'the database'),
    encryption: readEncryption(query),
  }
}

function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(`has a % in ${what} that begins no octet: write it as %25`)
  }
}

function readHosts(list: string): MysqlAddress['hosts'] {
  const [first = '', ...others] = list.split(',')
  if (others.length >= MOST_HOSTS) throw new Error(`must name at most ${String(MOST_HOSTS)} hosts`)
  return [readHost(first), ...others.map(readHost)]
}

function readHost(item: string): Host {
  const [, inBrackets, plain, port] = /^(?:\[([^[\]]+)\]|([^[\]:%]+))(?::(\d{1,5}))?$/.exec(item) ?? []
  const name = inBrackets === undefined ? plain : decoded(inBrackets, 'a host')
  const number = port === undefined ? DEFAULT_PORT : Number(port)
  const isName = name !== undefined && (inBrackets === undefined || isIPv6(name))
  if (isName && number >= 1 && number <= 65_535) return { name, port: number }
  // The error does not repeat the text: after a forgotten character, it may be a part of the password.
  throw new Error('must name its hosts as host:port or [IPv6]:port, separated by commas')
}

function readEncryption(query: string): Encryption {
  const given = readParameters(query)
  const asked = given.get('ssl-mode') ?? (given.size === 0 ? 'DISABLED' : '')
  const mode = MODES.find((one) => one === asked.toUpperCase())
  if (mode === undefined)
    throw new Error(`must say by ssl-mode how to encrypt: one of ${MODES.join(', ')}, not '${asked}'`)
  given.delete('ssl-mode')
  const fault = faultOf(mode, given)
  if (fault !== undefined) throw new Error(fault)
  return { mode, files: Object.fromEntries(given) }
}

/** The parameters of a URL. Throws for an unknown one: the operator may have meant it to protect the connection. */
function readParameters(query: string): Map<string, string> {
  const given = new Map<string, string>()
  for (const part of query === '' ? [] : query.split('&')) {
    const [written = '', value = ''] = part.split(/=(.*)/s)
    const name = written.toLowerCase()
    if (!PARAMETERS.includes(name))
      throw new Error(`has an unknown parameter '${written}': there are ${PARAMETERS.join(', ')}`)
    if (given.has(name)) throw new Error(`has the parameter ${name} twice`)
    if (value === '') throw new Error(`has no value for ${name}`)
    given.set(name, decoded(value, name))
  }
  return given
}

/** Which parameters contradict each other. */
function faultOf(mode: Encryption['mode'], files: ReadonlyMap<string, string>): string | undefined {
  const verifies = mode.startsWith('VERIFY')
  if (mode === 'DISABLED' && files.size > 0) return 'has files for TLS that ssl-mode=DISABLED does not use'
  if (!verifies && files.has('ssl-ca'))
    return `has an ssl-ca that ssl-mode=${mode} does not use: VERIFY_CA and VERIFY_IDENTITY do`
  if (mode === 'VERIFY_CA' && !files.has('ssl-ca'))
    return 'needs ssl-ca for ssl-mode=VERIFY_CA: anybody has a certificate of some public authority'
  if (files.has('ssl-cert') !== files.has('ssl-key')) return 'needs ssl-cert and ssl-key together'
  return undefined
}

/** A host as users write it. */
export const hostText = ({ name, port }: Host): string =>
  `${name.includes(':') ? `[${name}]` : name}:${String(port)}`

/** The driver's options for a connection. Throws if a certificate file cannot be used. */
export function driverOptions({ host, user, password, database, encryption }: Target) {
  const ssl = tlsOptions(encryption)
  return {
    host: host.name,
    port: host.port,
    user,
    password,
    database,
    charset: 'utf8mb4',
    maxPreparedStatements: PREPARED_STATEMENTS,
    ...(ssl !== undefined && { ssl }),
  } satisfies ConnectionOptions
}

/** The last options of each URL: the driver keeps sessions of TLS with the object, so it stays the same while the files do. */
const lastOptions = new WeakMap<Encryption, { readonly texts: string; readonly ssl: SslOptions }>()

/**
 * The driver's options for TLS; undefined without TLS. This reads the files for each connection, so that renewed
 * certificates need no restart. Throws if a file cannot be used.
 */
export function tlsOptions(encryption: Encryption): SslOptions | undefined {
  const { mode, files } = encryption
  if (mode === 'DISABLED') return undefined
  const [ca, cert, key] = FILES.map((name) => pem(name, files[name]))
  const texts = JSON.stringify([mode, ca, cert, key])
  const last = lastOptions.get(encryption)
  if (last?.texts === texts) return last.ssl
  const ssl: SslOptions = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: mode !== 'REQUIRED',
    verifyIdentity: mode === 'VERIFY_IDENTITY',
  }
  lastOptions.set(encryption, { texts, ssl })
  return ssl
}

/** The text of a file. Throws if it is not what its parameter says: the driver would accept it, and trust no certificate. */
function pem(name: (typeof FILES)[number], file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    const text = readFileSync(file, 'utf8')
    if (name === 'ssl-key') createPrivateKey(text)
    else new X509Certificate(text)
    return text
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    const why = syscall === undefined ? `'${file}' is not in the format PEM` : message
    const said = new Error(`names a file by ${name} that cannot be used: ${why}`)
    throw Object.assign(said, { code: 'TLS_FILE' })
  }
}
