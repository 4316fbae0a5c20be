/** Proving the limit of 1,000,000 objects takes no statement where bounds suffice, and counts where they do not. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { permitSearch, search } from '../../src/data/search/search.ts'
import { sql } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { QUERY_LIMITS } from '../../src/query/lexer.ts'
import { startService, type Service } from '../support/service.ts'

const OBJECT = '0197a3c0-5a5a-7000-8000-00000000000a'
const MILLIONS = 3_000_000

let service: Service
beforeAll(async () => {
  service = await startService()
  const queries = [
    [
      `service/id = "${OBJECT}"`,
      { 'alice/a': { value: 1 }, 'alice/b': { value: 'x' }, 'alice/c': { value: ['y'] } },
    ],
  ]
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
})
afterAll(() => service.stop())

const setBounds = (bound: number): Promise<number> =>
  service.store.write(SERVICE, (tx) =>
    tx.run(sql`UPDATE tags SET value_bound = ${bound} WHERE path > ${'alice/'} AND path < ${'alice0'}`),
  )

/** How many counts and fetches a query takes after its permissions are checked, and how many objects it finds. */
function statements(text: string): Promise<{ counts: number; fetches: number; found: number }> {
  const query = parseQuery(text, QUERY_LIMITS)
  return service.store.scan(SERVICE, new AbortController().signal, async (tx) => {
    const permitted = await permitSearch(tx, query)
    const calls = new Map<unknown, number>()
    const counting = new Proxy(tx, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        calls.set(name, (calls.get(name) ?? 0) + 1)
        return (member as (...args: unknown[]) => unknown).bind(target)
      },
    })
    const found = (await search(counting, permitted, () => undefined)).size
    const [counts = 0, ids = 0, sortedIds = 0] = ['one', 'ids', 'sortedIds'].map((name) => calls.get(name))
    return { counts, fetches: ids + sortedIds, found }
  })
}

const ONE = `service/id = "${OBJECT}"`

test.each([
  'has alice/a',
  'alice/a = 1',
  'alice/b matches "x"',
  'alice/c contains "y"',
  `${ONE} and has alice/a`,
  `${ONE} and (has alice/a or alice/b = "x")`,
  `${ONE} except alice/c contains "z"`,
])('no count where bounds prove the limit: %s', async (query) => {
  await setBounds(500_000)
  expect(await statements(query)).toEqual({ counts: 0, fetches: 1, found: 1 })
})

test.each([
  ['has alice/a', 1, 1],
  ['alice/a = 1', 0, 1],
  [`${ONE} and has alice/a`, 1, 1],
  [`${ONE} and has alice/a and alice/b = "x"`, 2, 1],
  [`${ONE} except alice/c contains "z"`, 1, 1],
  ['has alice/a or has alice/b', 3, 2],
])('where bounds are above the limit, %s takes %d counts', async (query, counts, fetches) => {
  await setBounds(MILLIONS)
  expect(await statements(query)).toEqual({ counts, fetches, found: 1 })
})
