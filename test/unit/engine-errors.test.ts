/**
 * The table of engines' errors. Each row is provoked on an engine (test/data/engine-errors.test.ts), or quoted here from
 * the sources and the documentation of the engine, and said by a server that only says what it is asked to.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  ENGINE_ERRORS,
  type EngineError,
  type Failure,
  type Fate,
} from '../../src/data/database/connection/engine-errors.ts'
import { fateAfter, failureOf } from '../../src/data/database/connection/failures.ts'
import { readMysqlUrl } from '../../src/data/database/mysql/mysql-address.ts'
import { Session } from '../../src/data/database/mysql/mysql-session.ts'
import { ON_SERVERS } from '../data/provoked-on-servers.ts'
import { ON_SQLITE } from '../data/provoked-on-sqlite.ts'
import { PATIENT } from '../support/database.ts'

/** What cannot be provoked by a statement: numbers that servers send, some with the text that tells them from others. */
const QUOTED: readonly (readonly [Failure, Fate, readonly (number | readonly [number, string])[]])[] = [
  ['conflict', 'back', [8002, 8005, 8022, 8028, 8113, 8147, 9004]],
  [
    'conflict',
    'back',
    [
      [1105, 'pessimistic lock retry limit reached'],
      [1105, 'lock wait timeout'],
    ],
  ],
  ['lost', 'broken', [[1105, 'context canceled']]],
  ['lost', 'broken', [1053, 1077, 1152, 1156, 1158, 1159, 1160, 1161, 1184, 1927, 3169]],
  // Memory, and what else a server may be out of.
  ['unavailable', 'back', [5, 23, 1037, 1038, 1041, 1135, 1637, 3015, 3985]],
  ['unavailable', 'broken', [4081, 4082]],
  // Parts of TiDB that do not answer, or are overloaded.
  ['unavailable', 'back', [8027, 8055, 8120, 8176, 8229, 8252, 8253, 8254]],
  ['unavailable', 'back', [9001, 9002, 9003, 9005, 9006, 9008, 9010, 9011]],
  // Nodes without their cluster.
  ['unavailable', 'back', [1047, 1689, 3781]],
  ['unavailable', 'demoted', [3100, 3101, 3782, 3783, 3796, 3797, 3798, 3799]],
  ['unavailable', 'demoted', [1036, 1207, 1836, 1874]],
  // Disks.
  ['unavailable', 'back', [1, 2, 3, 20, 1021, 1026, 1180, 1598, 1811, 1878, 3019, 3675]],
  ['unavailable', 'back', [[1030, `Got error 28 - 'No space left on device' from storage engine`]]],
  ['unavailable', 'back', [[1030, 'Got error 28 "No space left on device" from storage engine InnoDB']]],
  ['other', 'back', [[1030, `Got error 168 - 'Unknown (generic) error from engine' from storage engine`]]],
  ['refused', 'broken', [1043, 1129, 1251, 1275, 3879]],
  ['too large', 'back', [1206, 1713, 3231, 8004, 8175]],
  ['too large', 'back', [[1105, 'Maximum writeset size exceeded']]],
  // Whatever else has the number of an unknown error is a fault.
  ['other', 'back', [[1105, 'unknown column in an index'], 1064]],
]

/** Codes of SQLite, the driver, the system and Gloss that cannot be had here. */
const QUOTED_CODES: readonly (readonly [Failure, Fate, readonly string[]])[] = [
  ['lost', 'broken', ['PROTOCOL_UNEXPECTED_PACKET', 'EPIPE']],
  ['unavailable', 'back', ['EACCES', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EHOSTUNREACH', 'EMFILE', 'ENETUNREACH']],
  ['unavailable', 'back', ['GROUP_OUTSIDER']],
  ['refused', 'broken', ['GROUP_UNREADABLE']],
  ['unavailable', 'back', ['SQLITE_NOMEM', 'SQLITE_PROTOCOL', 'SQLITE_IOERR', 'SQLITE_IOERR_FSYNC']],
  ['refused', 'broken', ['AUTH_SWITCH_PLUGIN_ERROR', 'MYSQL_CLEAR_PASSWORD_NOT_ENABLED']],
  ['other', 'back', ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_CONSTRAINT_NOTNULL']],
]

/** Statements on a connection that the driver knows to be gone: it gives their error no code. */
const CLOSED = `Can't add new command when connection is in closed state`

const numbers = QUOTED.flatMap(([failure, fate, said]) =>
  said.map((one) => {
    const [number, message] = typeof one === 'number' ? [one, 'as the server says'] : one
    return { number, message, is: [failure, fate] }
  }),
)
const codes = QUOTED_CODES.flatMap(([failure, fate, said]) =>
  said.map((code) => ({ code, is: [failure, fate] })),
)

const rowName = ({ of, number, code, text }: EngineError): string =>
  [of.join(' and '), number, code, text].filter((part) => part !== undefined).join(', ')

test('each row is provoked or quoted', () => {
  const provoked = [...ON_SERVERS, ...ON_SQLITE].map(([, number, code]) => JSON.stringify([number, code]))
  const isTried = ({ number, code, text }: EngineError): boolean =>
    provoked.includes(JSON.stringify([number, code])) ||
    numbers.some((one) => one.number === number && one.message.includes(text ?? '')) ||
    codes.some((one) => one.code === code) ||
    (text !== undefined && CLOSED.includes(text))
  expect(ENGINE_ERRORS.filter((row) => !isTried(row)).map(rowName)).toEqual([])
})

test('each quoted or provoked error has a row of its own', () => {
  const names = ENGINE_ERRORS.map(({ number, code, text }) => JSON.stringify([number ?? code, text]))
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

test('rows of one number have one code, and rows of one code and text one class', () => {
  for (const row of ENGINE_ERRORS)
    for (const other of ENGINE_ERRORS) {
      if (row.number !== undefined && row.number === other.number) expect(other.code).toBe(row.code)
      if (row.code === other.code && row.text === other.text)
        expect([rowName(other), other.failure, other.fate]).toEqual([rowName(other), row.failure, row.fate])
    }
})

const PROTOCOL_41 = 0x0200
const PLUGIN_AUTH = 0x8
const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0])

/** What a server says first. */
function greeting(): Buffer {
  const salt = Buffer.alloc(8, 's')
  const capabilities = Buffer.alloc(2)
  capabilities.writeUInt16LE(PROTOCOL_41 | 0x8000)
  return Buffer.concat([
    Buffer.from('\x0a8.4.0\0\x01\0\0\0'),
    salt,
    Buffer.from([0, ...capabilities, 45, 2, 0, PLUGIN_AUTH, 0, 21, ...Array<number>(10).fill(0)]),
    Buffer.from('s'.repeat(12) + '\0mysql_native_password\0'),
  ])
}

function errorPacket(number: number, message: string): Buffer {
  const head = Buffer.from([0xff, 0, 0])
  head.writeUInt16LE(number, 1)
  return Buffer.concat([head, Buffer.from(`#HY000${message}`)])
}

/** Speaks as much of MySQL's protocol as it takes to answer `SAY number message` with that error, and all else well. */
function speak(client: Socket): void {
  const send = (sequence: number, body: Buffer): void => {
    const head = Buffer.from([0, 0, 0, sequence])
    head.writeUIntLE(body.length, 0, 3)
    client.write(Buffer.concat([head, body]))
  }
  let rest = Buffer.alloc(0)
  client.on('data', (data) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 4 && rest.length >= 4 + rest.readUIntLE(0, 3)) {
      const end = 4 + rest.readUIntLE(0, 3)
      const [sequence = 0, text] = [rest[3], rest.toString('utf8', 5, end)]
      rest = rest.subarray(end)
      const [, number, message = ''] = /^SAY (\d+) (.*)$/s.exec(text) ?? []
      send(sequence + 1, number === undefined ? OK : errorPacket(Number(number), message))
    }
  })
  client.on('error', () => client.destroy())
  send(0, greeting())
}

describe('a server that says what it is asked to', () => {
  const server = createServer(speak)
  let session: Session
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { hosts, ...rest } = readMysqlUrl(`mysql://u:p@127.0.0.1:${String(port)}/d`)
    const place = { ...rest, host: hosts[0], isInUse: () => true, look: () => undefined }
    session = await Session.open(place, PATIENT, (opened) => opened.query('DO 1'))
  })
  afterAll(() => {
    session.end(new Error('enough'))
    server.close()
  })

  test.each(numbers)('$number, $message: $is', async ({ number, message, is }) => {
    const error: unknown = await session
      .query(`SAY ${String(number)} ${message}`)
      .catch((said: unknown) => said)
    expect([failureOf(error), fateAfter(error)]).toEqual(is)
  })
})

test.each(codes)('$code: $is', ({ code, is }) => {
  const error = Object.assign(new Error('as it is said'), { code })
  expect([failureOf(error), fateAfter(error)]).toEqual(is)
})

test('a statement on a connection that is gone', () => {
  const error = new Error(`ROLLBACK - ${CLOSED}`)
  expect([failureOf(error), fateAfter(error)]).toEqual(['lost', 'broken'])
})
