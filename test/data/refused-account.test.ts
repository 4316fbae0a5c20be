/** A database that refuses the service while it runs: every request is a 503, and answered again once that is mended. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createConnection, type Connection } from 'mysql2/promise'
import { engineOfProject, PATIENT } from '../support/database.ts'
import { startMysqlServer, type MysqlServer } from '../support/mysql-server.ts'
import { runProcess } from '../support/process.ts'
import { startAnother, startService, type Answer, type Options, type Service } from '../support/service.ts'

const ACCOUNT = `'service'@'127.0.0.1'`
const RIGHTS = 'SELECT, INSERT, UPDATE, DELETE'

let server: MysqlServer
let calm: Service
let service: Service
/** Of the administrator; it stays, as new ones may be refused. */
let admin: Connection
/** What the service reported, and whether it expected that. */
const reported: [message: string, expected: boolean | undefined][] = []
const shared = process.env.TEST_DATABASE_URL

beforeAll(async () => {
  server = await startMysqlServer({ engine: engineOfProject() })
  admin = await createConnection(server.url)
  process.env.TEST_DATABASE_URL = server.url
  calm = await startService()
  await administer(`CREATE USER ${ACCOUNT} IDENTIFIED BY 'service'`)
  await administer(`GRANT ${RIGHTS} ON ${database()}.* TO ${ACCOUNT}`)
  const url = Object.assign(new URL(calm.databaseUrl), { username: 'service', password: 'service' })
  service = await startAnother(url.href, PATIENT, {
    report: (message, _error, expected) => reported.push([message, expected]),
  })
  await calm.ok('PUT', '/about/x/alice/n', { as: 'alice', primitive: '1' })
}, 120_000)
afterAll(async () => {
  process.env.TEST_DATABASE_URL = shared
  await service.stop()
  await calm.stop()
  await admin.end()
  await server.stop()
})

const database = (): string => new URL(calm.databaseUrl).pathname.slice(1)

async function administer<Row>(statement: string): Promise<Row[]> {
  const [rows] = await admin.query(statement)
  return rows as Row[]
}

/** Ends all connections of the service: what an account may do is asked when it connects. */
async function disconnect(): Promise<void> {
  const theirs = `SELECT ID AS id FROM information_schema.PROCESSLIST WHERE USER = 'service'`
  for (const { id } of await administer<{ id: number }>(theirs)) await administer(`KILL ${String(id)}`)
  while ((await administer(theirs)).length > 0);
}

type Request = readonly [method: string, path: string, options?: Options]

const READS: readonly Request[] = [
  ['GET', '/users/alice'],
  ['GET', '/about/x/alice/n'],
  ['GET', '/objects?query=has%20alice%2Fn'],
]
/** The last one makes an object that was not there. */
const writes = (): readonly Request[] => [
  ['PUT', '/about/x/alice/n', { primitive: '2' }],
  ['PUT', '/about/x/alice/n', { primitive: '"some words"' }],
  ['PUT', '/values', { json: { queries: [['has alice/n', { 'alice/n': { value: 3 } }]] } }],
  ['POST', '/objects', { json: { about: randomUUID() } }],
]

const send = ([method, path, options]: Request): Promise<Answer> =>
  service.request(method, path, { as: 'alice', ...options })

async function expectRefused(requests: readonly Request[]): Promise<void> {
  for (const request of requests) {
    const answer = await send(request)
    expect([...request, answer.status, answer.error]).toEqual([...request, 503, 'ServiceUnavailable'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
}

async function expectAnswered(requests: readonly Request[]): Promise<void> {
  for (const request of requests) {
    const { status } = await send(request)
    expect([...request, Math.floor(status / 100)]).toEqual([...request, 2])
  }
}

/** Has others take all connections that the server allows; returns what ends them. */
async function useUp(): Promise<() => Promise<void>> {
  await administer('SET GLOBAL max_connections = 10')
  const others: Connection[] = []
  const another = Object.assign(new URL(server.url), { username: 'other', password: 'other' }).href
  await administer(`CREATE USER 'other'@'127.0.0.1' IDENTIFIED BY 'other'`)
  for (;;) {
    const connection = await createConnection(another).catch(() => undefined)
    if (connection === undefined) break
    others.push(connection)
  }
  return async () => {
    await administer('SET GLOBAL max_connections = 151')
    await Promise.all(others.map((connection) => connection.end()))
  }
}

describe('every request is a 503, and answered again afterwards', () => {
  test.each<[what: string, refuse: () => readonly string[], mend: () => readonly string[]]>([
    [
      'the password is changed',
      () => [`ALTER USER ${ACCOUNT} IDENTIFIED BY 'another'`],
      () => [`ALTER USER ${ACCOUNT} IDENTIFIED BY 'service'`],
    ],
    [
      'the account is locked',
      () => [`ALTER USER ${ACCOUNT} ACCOUNT LOCK`],
      () => [`ALTER USER ${ACCOUNT} ACCOUNT UNLOCK`],
    ],
    [
      'all rights are revoked',
      () => [`REVOKE ${RIGHTS} ON ${database()}.* FROM ${ACCOUNT}`],
      () => [`GRANT ${RIGHTS} ON ${database()}.* TO ${ACCOUNT}`],
    ],
    [
      'the account is gone',
      () => [`DROP USER ${ACCOUNT}`],
      () => [
        `CREATE USER ${ACCOUNT} IDENTIFIED BY 'service'`,
        `GRANT ${RIGHTS} ON ${database()}.* TO ${ACCOUNT}`,
      ],
    ],
    [
      'the account is over its limit of statements',
      () => [`ALTER USER ${ACCOUNT} WITH MAX_QUERIES_PER_HOUR 1`],
      () => [`ALTER USER ${ACCOUNT} WITH MAX_QUERIES_PER_HOUR 0`],
    ],
  ])('%s', async (_what, refuse, mend) => {
    await expectAnswered([...READS, ...writes()])
    reported.length = 0
    for (const statement of refuse()) await administer(statement)
    await disconnect()
    await expectRefused([...READS, ...writes()])
    // Expected, and so no fault of the service.
    expect(reported).toHaveLength(READS.length + writes().length)
    for (const [message, expected] of reported)
      expect([message, expected]).toEqual([expect.stringMatching(/^ServiceUnavailable/), true])
    for (const statement of mend()) await administer(statement)
    await expectAnswered([...READS, ...writes()])
  })

  test('all connections are used up', async () => {
    await disconnect()
    const giveBack = await useUp()
    await expectRefused([...READS, ...writes()])
    await giveBack()
    await expectAnswered([...READS, ...writes()])
  })
})

test('without the right to write, reads go on, and writes do once it is back', async () => {
  await expectAnswered([...READS, ...writes()])
  await administer(`REVOKE INSERT, UPDATE ON ${database()}.* FROM ${ACCOUNT}`)
  await disconnect()
  await expectRefused(writes())
  await expectAnswered(READS)
  await administer(`GRANT INSERT, UPDATE ON ${database()}.* TO ${ACCOUNT}`)
  // Also on connections that were made meanwhile, which had fewer rights.
  await expectAnswered([...READS, ...writes()])
})

describe('a start is not waited for, and says what is missing', () => {
  test.each([
    ['may only read', 'SELECT'],
    ['may make tables, but not fill them', 'SELECT, CREATE, ALTER, DROP, INDEX, UPDATE, DELETE'],
  ])('if the account %s', async (_what, rights) => {
    await administer('CREATE DATABASE new')
    await administer(`CREATE USER 'starter'@'127.0.0.1' IDENTIFIED BY 'starter'`)
    await administer(`GRANT ${rights} ON new.* TO 'starter'@'127.0.0.1'`)
    const account = { username: 'starter', password: 'starter', pathname: '/new' }
    const url = Object.assign(new URL(server.url), account)
    const { end, printed } = runProcess({ DATABASE_URL: url.href, STARTUP_WAIT_MS: '600000' })
    expect(await end).toBe(1)
    expect(printed()).toMatch(/command denied to user .* \(ER_TABLEACCESS_DENIED_ERROR\)$/m)
    expect(printed()).not.toContain('Waiting')
    await administer(`DROP USER 'starter'@'127.0.0.1'`)
    await administer('DROP DATABASE new')
  })
})
