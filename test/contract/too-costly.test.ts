/** The time limit of queries: a 413 that names the query, and nothing written. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { startService, type Service } from '../support/service.ts'
import { QUERYING } from './querying.ts'

const OBJECT = '0197a3c0-5a5a-7000-8000-00000000000a'

/** Hundreds of statements, which no machine runs in the one millisecond that there is. */
const COSTLY = Array.from({ length: 300 }, (_, i) => `alice/words matches "word no${String(i)}*"`).join(
  ' or ',
)

let service: Service

beforeAll(async () => {
  service = await startService({ QUERY_TIMEOUT_MS: '1' })
  for (const tag of ['alice/words', 'alice/few']) {
    await service.ok('PUT', `/objects/${OBJECT}/${tag}`, { as: 'alice', primitive: '"a word"' })
  }
})
afterAll(() => service.stop())

/** Decides whether queries on `alice/words` are short. */
const setBound = (bound: number): Promise<number> =>
  service.store.write(SERVICE, (tx) =>
    tx.run(sql`UPDATE tags SET value_bound = ${bound} WHERE path = ${'alice/words'}`),
  )

/** What searches, and what counts. */
const COUNTING: typeof QUERYING = [
  ...QUERYING,
  ['POST /search/check', (query) => ['POST', '/search/check', { json: { query } }]],
]

test.each(COUNTING.flatMap(([name, ask]) => [1, 1_000_000].map((bound) => [name, bound, ask] as const)))(
  '413 from %s on a tag of up to %d values',
  async (_name, bound, ask) => {
    await setBound(bound)
    const [method, path, options] = ask(COSTLY)
    const { status, error, headers } = await service.request(method, path, { as: 'alice', ...options })
    expect([status, error]).toEqual([413, 'QueryTooCostly'])
    expect(headers['x-service-query']).toContain(COSTLY.slice(0, 100))
  },
)

test('413 from PUT /values undoes earlier elements, and what follows is written', async () => {
  const value = async (): Promise<string> =>
    (await service.ok('GET', `/objects/${OBJECT}/alice/few`, { as: 'alice' })).body.toString()
  const put = async (queries: unknown): Promise<number> =>
    (await service.request('PUT', '/values', { as: 'alice', json: { queries } })).status
  const before = await value()
  const own = [`service/id = "${OBJECT}"`, { 'alice/few': { value: 'new' } }]
  expect(await put([own, [COSTLY, { 'alice/few': { value: 'other' } }]])).toBe(413)
  expect(await value()).toBe(before)
  expect(await put([own])).toBe(204)
  expect(await value()).toBe('"new"')
})
