/** A store that cannot write answers 503 to every write and goes on reading; what it takes no change of is a 413. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { createConnection } from 'mysql2/promise'
import { raw } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { engineOfProject } from '../support/database.ts'
import { startMysqlServer, type MysqlServer } from '../support/mysql-server.ts'
import { startService, type Answer, type Options, type Service } from '../support/service.ts'
import { expectSound } from '../support/sound.ts'
import { onSqlite } from './open.ts'

/** The largest transaction of the server: more than the first start needs. */
const TRANSACTION_BYTES = 1_048_576

let service: Service
let server: MysqlServer | undefined
const shared = process.env.TEST_DATABASE_URL

beforeAll(async () => {
  // Faults of the service are what these tests are about.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  if (!onSqlite) {
    server = await startMysqlServer({
      engine: engineOfProject(),
      settings: ['--log-bin', '--server-id=1', `--max-binlog-cache-size=${String(TRANSACTION_BYTES)}`],
    })
    // Like the service's users on most servers: nobody who may write where nobody may.
    await administer(`CREATE USER 'service'@'127.0.0.1' IDENTIFIED BY 'service'`)
    await administer(
      `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX ON *.* TO 'service'@'127.0.0.1'`,
    )
    const url = new URL(server.url)
    url.username = url.password = 'service'
    process.env.TEST_DATABASE_URL = url.href
  }
  service = await startService()
}, 120_000)
afterEach(() => expectSound(service.store))
afterAll(async () => {
  await service.stop()
  process.env.TEST_DATABASE_URL = shared
  await server?.stop()
  jest.restoreAllMocks()
})

async function administer(statement: string): Promise<void> {
  const connection = await createConnection(server?.url ?? '')
  await connection.query(statement).finally(() => connection.end())
}

/** Sets something on the connection that writes. */
const onWriter = (pragma: string): Promise<unknown> =>
  service.store.write(SERVICE, (tx) => tx.all(raw(`PRAGMA ${pragma}`)))

/** On SQLite a statement by itself: no transaction begins on a connection that may not write. */
const readOnly = (on: boolean): Promise<unknown> =>
  onSqlite
    ? service.store.writeRow(raw(`PRAGMA query_only = ${on ? '1' : '0'}`), undefined)
    : administer(`SET GLOBAL read_only = ${on ? '1' : '0'}`)

const asAlice = (method: string, path: string, options: Options = {}): Promise<Answer> =>
  service.request(method, path, { as: 'alice', ...options })

const values = (query: string, value: unknown): Options => ({
  json: { queries: [[query, { 'alice/n': { value } }]] },
})

const WRITES: readonly (readonly [method: string, path: string, options?: Options])[] = [
  ['PUT', '/about/x/alice/n', { primitive: '2' }],
  ['PUT', '/about/x/alice/n', { primitive: '"some words"' }],
  ['PUT', '/about/x/alice/new', { primitive: '2' }],
  ['DELETE', '/about/x/alice/n'],
  ['PUT', '/values', values('has alice/n', 3)],
  ['PUT', '/values', values('service/about = "y"', 3)],
  ['DELETE', '/values', { query: { query: 'has alice/n', tag: 'alice/n' } }],
  ['POST', '/objects', { json: { about: 'y' } }],
  ['POST', '/namespaces/alice', { json: { name: 'more', description: '' } }],
  ['PUT', '/permissions/tags/alice/n?action=update', { json: { policy: 'open', exceptions: [] } }],
  ['DELETE', '/tags/alice/n'],
]

test('a store that is read-only answers 503 to every write, and reads; then it writes again', async () => {
  await service.ok('PUT', '/about/x/alice/n', { as: 'alice', primitive: '1' })
  try {
    for (const [method, path, options] of WRITES) {
      // Each time: a connection that could not begin a transaction is replaced by a new one.
      await readOnly(true)
      const answer = await asAlice(method, path, options)
      expect([method, path, answer.status, answer.error]).toEqual([method, path, 503, 'ServiceUnavailable'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await asAlice('GET', '/about/x/alice/n')).json()).toBe(1)
    expect((await asAlice('GET', '/about/y')).status).toBe(404)
  } finally {
    await readOnly(false)
  }
  expect((await asAlice('GET', '/about/x/alice/n')).json()).toBe(1)
  for (const [method, path, options] of WRITES) {
    const { status } = await asAlice(method, path, options)
    expect([method, path, Math.floor(status / 100)]).toEqual([method, path, 2])
  }
})

// Each kind of database refuses in its own way.
if (onSqlite) describe('a full disk', aFullDisk)
else describe('a change that the server takes no transaction of', aChangeTooLarge)

function aFullDisk(): void {
  test('fails writes without a trace, also those that share a commit, until there is room again', async () => {
    await service.ok('PUT', '/about/first/alice/blob', { as: 'alice', primitive: '0' })
    const places = Array.from({ length: 60 }, (_, i) => `/about/full-${String(i)}/alice/blob`)
    // Small and large ones: a value of a row needs a page now and then, one in parts needs many.
    const body = (i: number): string => (i % 3 === 0 ? 'x'.repeat(200_000) : 'y'.repeat(400))
    const write = (place: string, i: number): Promise<Answer> =>
      asAlice('PUT', place, { body: body(i), headers: { 'content-type': 'text/plain' } })
    await onWriter('max_page_count = 1')
    const answers = await Promise.all(places.map(write))
    expect(new Set(answers.map(({ status }) => status))).toContain(503)
    await onWriter('max_page_count = 1073741823')
    for (const [i, { status }] of answers.entries()) {
      const place = places[i] as string
      const found = await asAlice('GET', place)
      expect([place, status, found.status]).toEqual([place, status, status === 204 ? 200 : 404])
    }
    for (const [i, place] of places.entries()) expect((await write(place, i)).status).toBe(204)
    const found = await asAlice('GET', places[3] as string)
    expect(found.body.length).toBe(200_000)
  })

  test('leaves neither words without a value nor a value without its words, wherever in a write it is full', async () => {
    const text = (i: number): string =>
      JSON.stringify(Array.from({ length: 300 }, (_, word) => `word${String(i)}x${String(word)}`).join(' '))
    const write = (i: number): Promise<Answer> =>
      asAlice('PUT', `/about/words-${String(i)}/alice/words`, { primitive: text(i) })
    const [page] = (await onWriter('page_count')) as { page_count: number }[]
    // One page more each time, so that each statement of a write is once the first one that finds no room.
    for (let room = 0; room < 30; room++) {
      await onWriter(`max_page_count = ${String((page?.page_count ?? 0) + room)}`)
      const answers = await Promise.all([write(room), write(room + 100), write(room + 200)])
      await onWriter('max_page_count = 1073741823')
      for (const { status } of answers) expect([204, 503]).toContain(status)
      await expectSound(service.store)
    }
  })
}

/** The numbers of as many connections as read at once. */
async function readers(): Promise<number[]> {
  const own = raw('SELECT CONNECTION_ID() AS id')
  const rows = Array.from({ length: 8 }, () =>
    service.store.read(SERVICE, (tx) => tx.one<{ id: number }>(own)),
  )
  return (await Promise.all(rows)).map((row) => row?.id ?? 0)
}

function aChangeTooLarge(): void {
  test('a server that refuses to write is left by readers and writers: another one may have its place', async () => {
    await service.ok('PUT', '/about/x/alice/n', { as: 'alice', primitive: '1' })
    const before = new Set(await readers())
    await readOnly(true)
    const { status } = await asAlice('PUT', '/about/x/alice/n', { primitive: '2' })
    await readOnly(false)
    expect(status).toBe(503)
    // Not at once if a test before this one was refused within the last second, but without a further refusal.
    while ((await readers()).some((id) => before.has(id))) await sleep(10)
  })

  const long = 'x'.repeat(1.5 * TRANSACTION_BYTES)

  test('is a 413 that names the query, or the body if that is all', async () => {
    await service.ok('PUT', '/about/large/alice/mark', { as: 'alice', primitive: '1' })
    const answer = await asAlice('PUT', '/values', values('has alice/mark', long))
    expect([answer.status, answer.error]).toEqual([413, 'TooManyObjects'])
    expect(answer.headers['x-service-query']).toBe('has alice/mark')
    const single = await asAlice('PUT', '/about/large/alice/n', { primitive: JSON.stringify(long) })
    expect([single.status, single.error]).toEqual([413, 'PayloadTooLarge'])
    expect((await asAlice('GET', '/about/large/alice/n')).status).toBe(404)
    await service.ok('PUT', '/about/large/alice/n', { as: 'alice', primitive: '1' })
  })
}
