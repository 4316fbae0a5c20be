/** What can go wrong between the service and its database, classified by what can be done about it. */

/**
 * `conflict`: another writer came first, and the work may run again. `lost`: the connection is gone, perhaps after the
 * work was done. `unavailable`: the database cannot be reached, or cannot write at present. `too large`: it takes no
 * change of that size. `other`: a fault.
 */
export type Failure = 'conflict' | 'lost' | 'unavailable' | 'too large' | 'other'

/** Something that a transaction read no longer holds: its work must run again from the beginning. */
export class Outdated extends Error {
  readonly code = 'OUTDATED'
}

const CONFLICTS = [
  'OUTDATED',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'ER_DUP_ENTRY',
  'SQLITE_BUSY',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
]
const LOST = [
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_UNEXPECTED_PACKET',
  'ECONNRESET',
  'EPIPE',
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_SESSION_WAS_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
]
/** Without TLS as it was asked for: the server's certificate, or a file of ours, must change first. */
const UNTRUSTED = ['HANDSHAKE_SSL_ERROR', 'HANDSHAKE_NO_SSL_SUPPORT', 'TLS_FILE']
const UNAVAILABLE = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'ER_CON_COUNT_ERROR',
  'ER_UNKNOWN_COM_ERROR',
  'ER_LOCK_ABORTED',
  'ER_STATEMENT_TIMEOUT',
  'ER_QUERY_TIMEOUT',
  'ER_QUERY_INTERRUPTED',
  'POOL_ENQUEUELIMIT',
  'POOL_CLOSED',
]
/** Read-only, or demoted to a replica: perhaps another server has taken its place. */
const DEMOTED = [
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_OPEN_AS_READONLY',
  'ER_READ_ONLY_TRANSACTION',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
]
/** Without space: the server is there, but does not write. */
const FULL = [
  // Galera says so, too, when it has no quorum.
  'ER_ERROR_DURING_COMMIT',
  'ER_DISK_FULL',
  'ER_DISK_FULL_NOWAIT',
  'ER_RECORD_FILE_FULL',
  'ER_ERROR_ON_WRITE',
  'EE_WRITE',
  'EE_DISK_FULL',
]
const TOO_LARGE = ['ER_TRANS_CACHE_FULL', 'ER_STMT_CACHE_FULL', 'ER_NET_PACKET_TOO_LARGE']

const CODES: ReadonlyMap<string, Failure> = new Map<string, Failure>([
  ...CONFLICTS.map((code) => [code, 'conflict'] as const),
  ...LOST.map((code) => [code, 'lost'] as const),
  ...[...UNTRUSTED, ...UNAVAILABLE, ...DEMOTED, ...FULL].map((code) => [code, 'unavailable'] as const),
  ...TOO_LARGE.map((code) => [code, 'too large'] as const),
])
/** SQLite's codes, each with its extended ones, such as `SQLITE_IOERR_WRITE`. */
const SQLITE_CODES: readonly (readonly [codes: RegExp, Failure])[] = [
  [/^SQLITE_BUSY/, 'conflict'],
  [/^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN)/, 'unavailable'],
]

/** Classifies an error of the driver or the pool. A duplicate key means that another writer came first: a conflict. */
export function failureOf(error: unknown): Failure {
  const { code: given, name, message } = error as { code?: unknown; name?: string; message?: string }
  // For errors of the platform, this is a number.
  const code = typeof given === 'string' ? given : ''
  const known = CODES.get(code) ?? SQLITE_CODES.find(([codes]) => codes.test(code))?.[1]
  if (known !== undefined) return known
  if (message?.includes(GALERAS_TOO_LARGE) === true) return 'too large'
  if (name === 'KnexTimeoutError') return 'unavailable'
  return message?.includes('closed state') === true ? 'lost' : 'other'
}

/** Whether what a server could not do may be possible soon, without anybody changing what was set. */
export const waitingHelps = (error: unknown): boolean =>
  ['conflict', 'unavailable', 'lost'].includes(failureOf(error)) &&
  !UNTRUSTED.includes(String((error as { code?: unknown }).code))

/**
 * What becomes of a connection: it goes `back` to its pool, is `broken`, or leads to a server that was `demoted`, as
 * perhaps all others do.
 */
export type Fate = 'back' | 'broken' | 'demoted'

/** What becomes of a connection whose work failed with an error. */
export function fateAfter(error: unknown): Fate {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && DEMOTED.includes(code)) return 'demoted'
  return failureOf(error) === 'lost' || code === 'ETIMEDOUT' ? 'broken' : 'back'
}

/** Whether a server does not have a setting, or does not let a session change it. */
export const isUnknownSetting = (error: unknown): boolean =>
  ['ER_UNKNOWN_SYSTEM_VARIABLE', 'ER_INCORRECT_GLOBAL_LOCAL_VAR'].includes(
    String((error as { code?: unknown }).code),
  )

/** Galera has no code of its own for a change that is larger than it takes. */
const GALERAS_TOO_LARGE = 'Maximum writeset size exceeded'

/** What MariaDB's errors are called of which the driver knows only the numbers. */
const NAMES: ReadonlyMap<number | undefined, string> = new Map([
  [1927, 'ER_CONNECTION_KILLED'],
  [1969, 'ER_STATEMENT_TIMEOUT'],
])

/** An error of MySQL's driver with the code by which it is classified. */
export function named(error: Error & { errno?: number; code?: string; fatal?: boolean }): Error {
  if (error.code === 'HANDSHAKE_SSL_ERROR') return withoutCertificate(error)
  const name = NAMES.get(error.errno)
  if (name !== undefined && error.code === undefined) return Object.assign(error, { code: name })
  // Whatever else ends a connection, such as an answer that the driver cannot read.
  if (error.fatal !== true || failureOf(error) !== 'other' || error.code?.startsWith('ER_') === true)
    return error
  return Object.assign(new Error(error.message, { cause: error }), { code: 'PROTOCOL_CONNECTION_LOST' })
}

/** An error of TLS without the certificates that Node adds; a connection that broke off meanwhile is a lost one. */
function withoutCertificate(error: Error & { syscall?: string }): Error {
  const brokeOff = error.syscall !== undefined || error.message.includes('disconnected before secure TLS')
  const code = brokeOff ? 'PROTOCOL_CONNECTION_LOST' : 'HANDSHAKE_SSL_ERROR'
  return Object.assign(new Error(error.message), { code })
}
