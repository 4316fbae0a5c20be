/** What queries of changes find before the transaction: nothing in it may take long, for others wait for it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { IdSet } from '../../src/data/database/ids/id-sets.ts'
import { setValues } from '../../src/data/operations/bulk.ts'
import type { WriteTx } from '../../src/data/store/views.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { PATIENT } from '../support/database.ts'
import { startAnother, startService, type Service } from '../support/service.ts'

let service: Service
/** A service in whose transactions no query may run at all. */
let strict: Service

beforeAll(async () => {
  service = await startService()
  strict = await startAnother(service.databaseUrl, { ...PATIENT, findingInTransaction: 0 })
  for (const [about, value] of [
    ['one', '1'],
    ['two', '2'],
  ] as const) {
    await service.ok('PUT', `/about/${about}/alice/number`, { as: 'alice', primitive: value })
  }
  await service.ok('PUT', '/about/other/alice/there', { as: 'alice', primitive: '1' })
})
afterAll(async () => {
  await strict.stop()
  await service.stop()
})

type Entry = readonly [query: string, values: Readonly<Record<string, { value: unknown }>>]

const put = async (
  on: Service,
  queries: readonly Entry[],
): Promise<readonly [number, string | undefined]> => {
  const { status, error } = await on.request('PUT', '/values', { as: 'alice', json: { queries } })
  return [status, error]
}
const found = async (query: string): Promise<number> => {
  const { body } = await service.ok('GET', '/objects', { as: 'alice', query: { query } })
  return (JSON.parse(body.toString()) as { ids: unknown[] }).ids.length
}

const DONE: readonly [number, string | undefined] = [204, undefined]
const COSTLY: readonly [number, string | undefined] = [413, 'QueryTooCostly']
const to = (value: unknown, tag = 'alice/set'): Entry[1] => ({ [tag]: { value } })

test('queries that nothing before changes run before the transaction, however many', async () => {
  const many = Array.from({ length: 12 }, (_, i): Entry => [`alice/number > ${String(i - 10)}`, to(i)])
  expect(await put(strict, many)).toEqual(DONE)
  expect(await found('alice/set = 11')).toBe(1)
  expect(await found('alice/set = 10')).toBe(1)
  expect(await put(strict, [['has alice/number', to('all')]])).toEqual(DONE)
  expect(await found('alice/set = "all"')).toBe(2)
})

test('a query on a tag that an earlier element sets runs in the transaction, and sees that', async () => {
  const dependent: Entry[] = [
    ['alice/number = 1', to('first')],
    ['alice/set = "first"', to('second', 'Alice/next')],
  ]
  expect(await put(strict, dependent)).toEqual(COSTLY)
  expect(await found('alice/set = "first"')).toBe(0)
  expect(await put(service, dependent)).toEqual(DONE)
  expect(await found('alice/next = "second"')).toBe(1)
})

test.each<[string, string, Entry]>([
  ['makes an object', 'brand new', ['service/about = "brand new"', to(1, 'alice/there')]],
  ['makes a tag', 'justmade', ['alice/number = 1', to(1, 'alice/justmade')]],
])(
  'a query on about values runs in the transaction if an earlier element %s',
  async (_what, words, making) => {
    const query = `service/about matches "${words}"`
    const both: Entry[] = [making, [query, to('seen', 'alice/there')]]
    expect(await put(strict, both)).toEqual(COSTLY)
    expect(await found(query)).toBe(0)
    expect(await put(service, both)).toEqual(DONE)
    expect(await found(`${query} and alice/there = "seen"`)).toBe(1)
  },
)

test('a query on about values runs before if earlier elements make nothing', async () => {
  const both: Entry[] = [
    ['alice/number = 1', to(1, 'alice/there')],
    ['service/about matches "two"', to('seen', 'alice/there')],
  ]
  expect(await put(strict, both)).toEqual(DONE)
  expect(await found('alice/there = "seen" and service/about = "two"')).toBe(1)
})

test('what is wrong is said of the first element that is wrong', async () => {
  const wrong: Entry[] = [
    ['alice/number = 1', to(1, 'bob/private')],
    ['has alice/absent', to(1)],
  ]
  expect(await put(strict, wrong)).toEqual([401, 'TPathPermissionDenied'])
  expect(await put(strict, wrong.slice(1))).toEqual([404, 'TNonexistentTag'])
})

test('what was found before gives no rights: they are read in the transaction', async () => {
  const element = { query: parseQuery('has alice/absent'), values: new Map() }
  const applying = {
    observe: () => undefined,
    found: new Map([[element, IdSet.of(undefined)]]),
    maxWriteBytes: 1,
  }
  const work = <V>(tx: WriteTx<V>): Promise<void> => setValues(tx, [element], applying)
  await expect(service.store.write(SERVICE, work)).rejects.toMatchObject({ errorClass: 'TNonexistentTag' })
})

test('DELETE finds before its transaction, too', async () => {
  await service.ok('PUT', '/about/one/alice/gone', { as: 'alice', primitive: '1' })
  const deleted = await strict.request('DELETE', '/values', {
    as: 'alice',
    query: { query: 'alice/gone = 1', tag: 'alice/gone' },
  })
  expect(deleted.status).toBe(204)
  expect(await found('has alice/gone')).toBe(0)
})
