/** What a database says of how many objects a condition matches. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { clauseOf } from '../../src/data/search/clauses.ts'
import type { RowCondition } from '../../src/data/search/conditions.ts'
import { count, estimatesOn } from '../../src/data/search/estimates.ts'
import { permitSearch } from '../../src/data/search/search.ts'
import { sql } from '../../src/data/database/connection/sql.ts'
import type { ReadTx } from '../../src/data/store/views.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { onSqlite } from './open.ts'
import { startService, type Service } from '../support/service.ts'

const BOUND = 5_000

let service: Service
beforeAll(async () => {
  service = await startService()
  for (const value of [1, 2, 3, 4, 5]) {
    await service.ok('PUT', `/about/${String(value)}/alice/n`, { as: 'alice', primitive: String(value) })
  }
  await service.store.write(SERVICE, (tx) =>
    tx.run(sql`UPDATE tags SET value_bound = ${BOUND} WHERE path = ${'alice/n'}`),
  )
})
afterAll(() => service.stop())

/** Asks about a query that is one condition. */
const ask = <T>(
  text: string,
  question: <V>(tx: ReadTx<V>, condition: RowCondition<V>) => Promise<T>,
): Promise<T> =>
  service.store.read(SERVICE, async (tx) => {
    const { query, tags } = await permitSearch(tx, parseQuery(text))
    const clause = clauseOf(query, tags)
    if (clause.kind !== 'rows') throw new Error(`${text} is not a condition on rows`)
    return question(tx, clause)
  })

test.each<[condition: string, limit: number, about: { sqlite: number; mysql: number }]>([
  ['alice/n > 2', 10, { sqlite: 3, mysql: 3 }],
  ['alice/n > 2', 3, { sqlite: 3, mysql: 3 }],
  ['alice/n > 2', 2, { sqlite: BOUND, mysql: 3 }],
  ['has alice/n', 10, { sqlite: 5, mysql: 5 }],
])('about how many objects match %s, counted to %d', async (condition, limit, about) => {
  expect(await ask(condition, (tx, asked) => estimatesOn(tx).about(asked, limit))).toBe(
    onSqlite ? about.sqlite : about.mysql,
  )
})

test('an estimate is never above the bound', async () => {
  const about = await ask('has alice/n', (tx, asked) => estimatesOn(tx).about({ ...asked, bound: 4 }, 2))
  expect(about).toBe(4)
})

test('a count ends one beyond its limit', async () => {
  for (const [limit, counted] of [
    [10, 3],
    [3, 3],
    [2, 3],
    [1, 2],
    [0, 1],
  ] as const) {
    expect(await ask('alice/n > 2', (tx, asked) => count(tx, asked, limit))).toBe(counted)
  }
})

test('also a count that is not stopped at its limit, as the tag has hardly more values', async () => {
  const bounded = (limit: number): Promise<number> =>
    ask('has alice/n', (tx, asked) => count(tx, { ...asked, bound: limit }, limit))
  expect([await bounded(3), await bounded(5)]).toEqual([4, 5])
})

test('more than a limit', async () => {
  for (const [limit, exceeded] of [
    [0, true],
    [2, true],
    [3, false],
    [10, false],
  ] as const) {
    expect(await ask('alice/n > 2', (tx, asked) => estimatesOn(tx).exceeds(asked, limit))).toBe(exceeded)
  }
})
