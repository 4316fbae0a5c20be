/** What can be done about an error of the database. */
import { expect, test } from '@jest/globals'
import { failureOf, fateAfter, named, waitingHelps } from '../../src/data/database/failures.ts'

const error = (facts: object): Error => Object.assign(new Error('as the driver says'), facts)

test.each([
  [{ errno: 1927 }, 'lost', 'broken'],
  [{ errno: 1969 }, 'unavailable', 'back'],
  [{ code: 'ER_CLIENT_INTERACTION_TIMEOUT', errno: 4031 }, 'lost', 'broken'],
  [{ code: 'ETIMEDOUT', fatal: true }, 'unavailable', 'broken'],
  // What ends a connection without a name of its own: a closed socket, or an answer that the driver cannot read.
  [{ code: 'ERR_STREAM_DESTROYED', fatal: true }, 'lost', 'broken'],
  [{ fatal: true }, 'lost', 'broken'],
  // What the server says while it ends a connection, and faults of ours.
  [{ code: 'ER_ACCESS_DENIED_ERROR', fatal: true }, 'other', 'back'],
  [{ code: 'ER_OPTION_PREVENTS_STATEMENT' }, 'unavailable', 'demoted'],
  [{ code: 'ER_DISK_FULL' }, 'unavailable', 'back'],
  // What Galera says of a change that is too large, and when it has no quorum.
  [{ code: 'ER_UNKNOWN_ERROR', message: 'Maximum writeset size exceeded' }, 'too large', 'back'],
  [{ code: 'ER_ERROR_DURING_COMMIT' }, 'unavailable', 'back'],
  [{}, 'other', 'back'],
])('%j is %s, and the connection %s', (facts, failure, fate) => {
  const known = named(error(facts))
  expect([failureOf(known), fateAfter(known)]).toEqual([failure, fate])
})

test.each([
  ['ER_LOCK_WAIT_TIMEOUT', true],
  ['ECONNREFUSED', true],
  ['PROTOCOL_CONNECTION_LOST', true],
  ['ER_ACCESS_DENIED_ERROR', false],
  ['HANDSHAKE_NO_SSL_SUPPORT', false],
])('whether a start waits after %s: %j', (code, waits) => {
  expect(waitingHelps(error({ code }))).toBe(waits)
})
