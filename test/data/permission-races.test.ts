/**
 * A permission that is withdrawn while requests wait: nobody reads or writes what came after the withdrawal. A service
 * that read permissions in another view than values failed in one round of twenty-five, so the suite makes enough to
 * find that. `npm run races` makes 1,000. What is sent, and when the permission is withdrawn, comes from a seed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { startService, type Answer, type Service } from '../support/service.ts'
import { Random } from '../search/random.ts'

const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 200)
/** 1,000 rounds of both tests take less than a minute where nothing else runs. */
const PATIENCE_MS = 30 * 60_000
const MOST_AT_ONCE = 7
const OBJECT = 'book:race'
const SECRET = `/about/${OBJECT}/alice/secret`
const SHARED = `/about/${OBJECT}/alice/shared`

const random = new Random()
const { seed } = random
let service: Service

beforeAll(async () => {
  service = await startService()
  const queries = [
    [`service/about = "${OBJECT}"`, { 'alice/shared': { value: 0 } }],
    ...Array.from({ length: 50 }, (_, i) => [
      `service/about = "${OBJECT}${i === 0 ? '' : String(i)}"`,
      { 'alice/secret': { value: -1 } },
    ]),
  ]
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
  // As if it had many values, so that a search of it waits for a place among those that take long.
  await service.store.write(SERVICE, (tx) =>
    tx.run(sql`UPDATE tags SET value_bound = ${1_000_000} WHERE path = ${'alice/secret'}`),
  )
})
afterAll(() => service.stop())

const setPolicy = (tag: string, action: string, policy: 'open' | 'closed'): Promise<Answer> =>
  service.ok('PUT', `/permissions/tag-values/alice/${tag}`, {
    as: 'alice',
    query: { action },
    json: { policy, exceptions: ['alice'].filter(() => policy === 'closed') },
  })

/** Withdraws a permission of bob's while his requests wait: at once, a moment later, or when the first was answered. */
async function withdraw(waiting: readonly Promise<Answer>[], tag: string, action: string): Promise<void> {
  const late = random.below(3)
  if (late === 1) await new Promise(setImmediate)
  if (late === 2) await Promise.race(waiting)
  await setPolicy(tag, action, 'closed')
}

/** Sends some requests at once. */
const send = (request: () => Promise<Answer>): Promise<Answer>[] =>
  Array.from({ length: 1 + random.below(MOST_AT_ONCE) }, request)

test(
  'a value written after READ was withdrawn shows in no answer, and no query finds it',
  async () => {
    const leaks: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await setPolicy('secret', 'read', 'open')
      const reads = send(() =>
        service.request('GET', '/values', {
          as: 'bob',
          query: { query: 'has alice/secret', tag: 'alice/secret' },
        }),
      )
      const mark = service.request('PUT', '/values', {
        as: 'bob',
        json: { queries: [[`alice/secret = ${String(round)}`, { 'bob/found': { value: round } }]] },
      })
      await withdraw([...reads, mark], 'secret', 'read')
      await service.ok('PUT', SECRET, { as: 'alice', primitive: String(round) })
      const shown = (await Promise.all(reads)).filter(({ body }) =>
        body.toString().includes(`"value":${String(round)},`),
      )
      await mark
      const found = await service.request('GET', `/about/${OBJECT}/bob/found`, { as: 'bob' })
      if (shown.length > 0) leaks.push(`round ${String(round)}: ${String(shown.length)} answers show it`)
      if (found.body.toString() === String(round)) leaks.push(`round ${String(round)}: a query found it`)
    }
    expect({ seed, leaks }).toEqual({ seed, leaks: [] })
  },
  PATIENCE_MS,
)

test(
  'after WRITE was withdrawn the last value stands, however many writes were waiting',
  async () => {
    const overwritten: unknown[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await setPolicy('shared', 'write', 'open')
      const writes = send(() =>
        service.request('PUT', SHARED, { as: 'bob', primitive: random.pick(['1', '2', '"bob"']) }),
      )
      await withdraw(writes, 'shared', 'write')
      await service.ok('PUT', SHARED, { as: 'alice', primitive: String(1000 + round) })
      await Promise.all(writes)
      const stands = (await service.ok('GET', SHARED, { as: 'alice' })).json()
      if (stands !== 1000 + round) overwritten.push(stands)
    }
    expect({ seed, overwritten }).toEqual({ seed, overwritten: [] })
  },
  PATIENCE_MS,
)
