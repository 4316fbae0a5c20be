/** A system's clock that is wrong for a while: what is written then and afterwards. */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { idBytes, newObjectId, type ObjectId } from '../../src/data/database/ids/ids.ts'
import { sql } from '../../src/data/database/connection/sql.ts'
import { purge } from '../../src/data/operations/purge.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { startService, type Service } from '../support/service.ts'
import { numberOf, rowsOf } from './open.ts'

const HOUR_MS = 3_600_000
const YEARS_MS = 10 * 365 * 24 * HOUR_MS

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const realNow = Date.now
/** Sets the system's clock, by milliseconds. */
const set = (ms: number): void => void jest.spyOn(Date, 'now').mockImplementation(() => realNow() + ms)
afterEach(() => {
  jest.restoreAllMocks()
})

/** Expects the time that the clock says, in milliseconds, up to the difference that does not count as a clock that was set. */
async function expectNow(find: () => Promise<number> | number): Promise<void> {
  const before = Date.now()
  const time = await find()
  expect(time).toBeGreaterThanOrEqual(before - 101)
  expect(time).toBeLessThanOrEqual(Date.now() + 101)
}

const timeOfId = (id: ObjectId): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
const timeOfWrite = async (): Promise<number> =>
  (await service.store.write(SERVICE, (tx) => Promise.resolve(tx.now))) / 1000

describe.each([YEARS_MS, -YEARS_MS])('a clock that is wrong by %i ms for a while', (ms) => {
  test('is followed by the ids of objects, as is its correction', async () => {
    await expectNow(() => timeOfId(newObjectId()))
    set(ms)
    await expectNow(() => timeOfId(newObjectId()))
    set(0)
    await expectNow(() => timeOfId(newObjectId()))
  })

  test('is followed by the times of writes, as is its correction', async () => {
    await expectNow(timeOfWrite)
    set(ms)
    await expectNow(timeOfWrite)
    set(0)
    await expectNow(timeOfWrite)
  })
})

test('ids of one millisecond ascend, and so do those of the next one', () => {
  const at = realNow()
  const clock = jest.spyOn(Date, 'now').mockReturnValue(at)
  const ids = Array.from({ length: 1000 }, newObjectId)
  clock.mockReturnValue(at + 1)
  ids.push(newObjectId())
  expect(ids).toEqual([...new Set(ids)].sort())
})

const tag = 'alice/clock'
const as = 'alice'
const OBJECTS = 60

/** Each way to replace the values of `OBJECTS` objects, or one of them. */
const ways: [string, (text: string) => Promise<unknown>][] = [
  ['a number', (text) => service.ok('PUT', '/about/clock-0/alice/clock', { as, primitive: text })],
  ['a text', (text) => service.ok('PUT', '/about/clock-0/alice/clock', { as, primitive: `"${text}"` })],
  [
    'an opaque value',
    (body) =>
      service.ok('PUT', '/about/clock-0/alice/clock', {
        as,
        body,
        headers: { 'content-type': 'text/plain' },
      }),
  ],
  ['a few objects', (value) => putAll(value, 'service/about = "clock-0"')],
  ['many objects', (value) => putAll(value, 'has alice/clock')],
  ['many objects, by numbers', (value) => putAll(Number(value), 'has alice/clock')],
]

const putAll = (value: unknown, query: string): Promise<unknown> =>
  service.ok('PUT', '/values', { as, json: { queries: [[query, { [tag]: { value } }]] } })

/** The time of the value on the first of the objects. */
const timeOfValue = async (): Promise<number> => {
  const { id } = (await service.ok('GET', '/about/clock-0', { as })).json() as { id: ObjectId }
  const [row] = await rowsOf<{ t: number }>(
    service.store,
    sql`SELECT v.updated_at AS t FROM tag_values v JOIN tags t ON t.id = v.tag_id
      WHERE t.path = ${tag} AND v.object_id = ${idBytes(id)}`,
  )
  return row?.t ?? NaN
}

test.each(ways)(
  'each write of %s gets a later time than the one before, with the clock set back',
  async (_, put) => {
    const queries = Array.from({ length: OBJECTS }, (__, i) => [
      `service/about = "clock-${String(i)}"`,
      { [tag]: { value: i } },
    ])
    await service.ok('PUT', '/values', { as, json: { queries } })
    await put('1')
    const first = await timeOfValue()
    set(-HOUR_MS)
    await put('2')
    await put('3')
    expect(await timeOfValue()).toBe(first + 2)
  },
)

test('a tag that was deleted while the clock was ahead is purged when it is right again', async () => {
  await service.ok('PUT', '/about/clock-0/alice/doomed', { as, primitive: '1' })
  set(YEARS_MS)
  await service.ok('DELETE', '/tags/alice/doomed', { as })
  set(0)
  await purge(service.store, SERVICE)
  expect(await numberOf(service.store, sql`SELECT count(*) AS n FROM tag_purges`)).toBe(0)
})
