/** What an error of MySQL's driver is taken for, and what can be done about it. */
import { expect, test } from '@jest/globals'
import { failureOf, fateAfter, named, waitingHelps } from '../../src/data/database/connection/failures.ts'

const error = (facts: object): Error => Object.assign(new Error('as the driver says'), facts)

test.each([
  // What ends a connection without a name of its own: a closed socket, or an answer that the driver cannot read.
  [{ code: 'ERR_STREAM_DESTROYED', fatal: true }, 'lost', 'broken'],
  [{ fatal: true }, 'lost', 'broken'],
  // What a server says unasked: the driver has the number in place of the code.
  [{ code: 4031, fatal: true }, 'lost', 'broken'],
  [{ code: 3000, fatal: true }, 'lost', 'broken'],
  // What the server says while it ends a connection, and faults of ours.
  [{ code: 'ER_UNKNOWN_PROCEDURE', fatal: true }, 'other', 'back'],
  [{ code: 'ER_UNKNOWN_ERROR', errno: 1105 }, 'other', 'back'],
  // The driver gives MariaDB's numbers the names that they have in MySQL.
  [{ code: 'ER_BULK_PARSER_INCOMPLETE_ESCAPE_SEQUENCE', errno: 4151, fatal: true }, 'refused', 'broken'],
  [{ code: 'SQLITE_IOERR_WRITE' }, 'unavailable', 'back'],
  [{ code: 'SQLITE_CONSTRAINT_NOTNULL' }, 'other', 'back'],
  [{ code: 22 }, 'other', 'back'],
  [{}, 'other', 'back'],
])('%j is %s, and the connection %s', (facts, failure, fate) => {
  const known = named(error(facts))
  expect([failureOf(known), fateAfter(known)]).toEqual([failure, fate])
})

test.each([
  ['ER_LOCK_WAIT_TIMEOUT', true],
  ['ER_CON_COUNT_ERROR', true],
  ['ECONNREFUSED', true],
  ['PROTOCOL_CONNECTION_LOST', true],
  ['ER_ACCESS_DENIED_ERROR', false],
  ['ER_ACCOUNT_HAS_BEEN_LOCKED', false],
  ['ER_TABLEACCESS_DENIED_ERROR', false],
  ['HANDSHAKE_NO_SSL_SUPPORT', false],
  ['ER_TRANS_CACHE_FULL', false],
  ['ER_UNKNOWN_SYSTEM_VARIABLE', false],
])('whether a start waits after %s: %j', (code, waits) => {
  expect(waitingHelps(error({ code }))).toBe(waits)
})
