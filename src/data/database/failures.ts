/** What can go wrong between the service and its database, classified by what can be done about it. */

/**
 * `conflict`: another writer came first, and the work may run again. `lost`: the connection is gone, perhaps after the
 * work was done. `unavailable`: the database cannot be reached. `other`: a fault.
 */
export type Failure = 'conflict' | 'lost' | 'unavailable' | 'other'

/** Something that a transaction read no longer holds: its work must run again from the beginning. */
export class Outdated extends Error {
  readonly code = 'OUTDATED'
}

const CONFLICTS = new Set([
  'OUTDATED',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'ER_DUP_ENTRY',
  'SQLITE_BUSY',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
])
const LOST = new Set(['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE', 'ER_SERVER_SHUTDOWN'])
const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'ER_CON_COUNT_ERROR',
  'ER_UNKNOWN_COM_ERROR',
  'ER_LOCK_ABORTED',
  'POOL_ENQUEUELIMIT',
])

/** Classifies an error of the driver or the pool. A duplicate key means that another writer came first: a conflict. */
export function failureOf(error: unknown): Failure {
  const { code: given, name, message } = error as { code?: unknown; name?: string; message?: string }
  // For errors of the platform, this is a number.
  const code = typeof given === 'string' ? given : undefined
  if (code !== undefined) {
    if (CONFLICTS.has(code) || code.startsWith('SQLITE_BUSY')) return 'conflict'
    if (LOST.has(code)) return 'lost'
    if (UNAVAILABLE.has(code)) return 'unavailable'
  }
  if (name === 'KnexTimeoutError') return 'unavailable'
  return message?.includes('closed state') === true ? 'lost' : 'other'
}
