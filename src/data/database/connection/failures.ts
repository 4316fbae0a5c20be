/** Classifies the failures between the service and its database by the possible remedy. */
import { ENGINE_ERRORS, type EngineError, type Failure, type Fate } from './engine-errors.ts'

export type { Failure, Fate } from './engine-errors.ts'

/** The database changed after the transaction read it: the work must run again from the beginning. */
export class Outdated extends Error {
  readonly code = 'OUTDATED'
}

/** The fields by which errors are classified. */
interface Said {
  readonly code?: unknown
  readonly errno?: number
  readonly name?: string
  readonly message?: string
}

const BY_CODE = Map.groupBy(ENGINE_ERRORS, ({ code }) => code)
const BY_NUMBER = Map.groupBy(ENGINE_ERRORS, ({ number }) => number)

/** The row of an error, or undefined if it is a fault. */
function rowOf(error: unknown): EngineError | undefined {
  const { code: given, name, message = '' } = error as Said
  const says = ({ text }: EngineError): boolean => text === undefined || message.includes(text)
  if (name === 'KnexTimeoutError') return BY_CODE.get(name)?.[0]
  // For errors of the platform, this is a number.
  const code = typeof given === 'string' ? given : ''
  // `SQLITE_IOERR_WRITE` is a kind of `SQLITE_IOERR`.
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code
  return BY_CODE.get(code)?.find(says) ?? BY_CODE.get(primary)?.find(says)
}

/** Classifies an error of the driver or the pool. */
export const failureOf = (error: unknown): Failure => rowOf(error)?.failure ?? 'other'

/** What the pool does with a connection whose work failed with an error. */
export const fateAfter = (error: unknown): Fate => rowOf(error)?.fate ?? 'back'

/** Whether a retry may succeed soon although no operator changes a setting. */
export const waitingHelps = (error: unknown): boolean =>
  ['conflict', 'unavailable', 'lost'].includes(failureOf(error))

/** Whether the server did not answer at all, so that it answers no other request either. */
export const isSilence = (error: unknown): boolean => (error as Said | undefined)?.code === 'ETIMEDOUT'

/** Whether a server does not have a setting, or does not let a session change it. */
export const isUnknownSetting = (error: unknown): boolean => failureOf(error) === 'unknown setting'

/** An error of MySQL's driver, with the code by which `failureOf` classifies it. */
export function named(error: Error & Said & { fatal?: boolean }): Error {
  const { code, errno } = error
  if (code === 'HANDSHAKE_SSL_ERROR') return withoutCertificate(error)
  // An error that the server sends without a request has the number in place of the code.
  const number = typeof code === 'number' ? code : errno
  const [row] = number === undefined ? [] : (BY_NUMBER.get(number) ?? [])
  if (row !== undefined) return Object.assign(error, { code: row.code })
  // Other errors that end a connection, such as an answer that the driver cannot read.
  const isAnswer = typeof code === 'string' && code.startsWith('ER_')
  if (error.fatal !== true || isAnswer || failureOf(error) !== 'other') return error
  return Object.assign(new Error(error.message, { cause: error }), { code: 'PROTOCOL_CONNECTION_LOST' })
}

/** An error of TLS without the certificates that Node adds; a connection that broke off meanwhile is a lost one. */
function withoutCertificate(error: Error & { syscall?: string }): Error {
  const brokeOff = error.syscall !== undefined || error.message.includes('disconnected before secure TLS')
  const code = brokeOff ? 'PROTOCOL_CONNECTION_LOST' : 'HANDSHAKE_SSL_ERROR'
  return Object.assign(new Error(error.message), { code })
}
