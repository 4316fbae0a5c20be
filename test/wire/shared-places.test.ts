/** Long queries of one caller do not hold up another’s; anonymous callers are told apart by their networks. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from '../../src/data/database/connection/sql.ts'
import type { Caller } from '../../src/data/store/views.ts'
import { findAccount } from '../../src/data/entities/accounts.ts'
import { ANONYMOUS, SERVICE } from '../../src/data/entities/users.ts'
import { startService, type Answer, type Options, type Service } from '../support/service.ts'

let service: Service

beforeAll(async () => {
  service = await startService({ TRUST_PROXY: 'loopback' })
  await service.ok('PUT', '/about/one/alice/many', { as: 'alice', primitive: '1' })
  await service.store.write(SERVICE, (tx) =>
    tx.run(sql`UPDATE tags SET value_bound = 500000 WHERE path = ${'alice/many'}`),
  )
})
afterAll(() => service.stop())

/** It takes a place: of the objects with another value than 0 nothing says how few they are. */
const ask = (options: Options): Promise<Answer> =>
  service.request('GET', '/objects', { query: { query: 'alice/many != 0' }, ...options })

const from = (address: string): Options => ({ headers: { 'x-forwarded-for': address } })

/** Works while all places that a caller can have are occupied, and frees them whatever happens. */
async function occupying(caller: Caller, work: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const started: Promise<void>[] = []
  const works = [1, 2].map(() => {
    const start = Promise.withResolvers<undefined>()
    started.push(start.promise)
    return service.store.scan(caller, new AbortController().signal, async () => {
      start.resolve(undefined)
      await promise
    })
  })
  await Promise.all(started)
  try {
    await work()
  } finally {
    resolve(undefined)
    await Promise.all(works)
  }
}

test('a user is answered while another one’s requests run and wait', async () => {
  const account = await findAccount(service.store, 'alice')
  const answered: string[] = []
  let alices: Promise<unknown>[] = []
  await occupying(account?.caller ?? SERVICE, async () => {
    alices = [1, 2, 3].map(() => ask({ as: 'alice' }).then(() => answered.push('alice')))
    expect((await ask({ as: 'bob' })).status).toBe(200)
    expect((await ask(from('192.0.2.1'))).status).toBe(200)
    expect(answered).toEqual([])
  })
  await Promise.all(alices)
})

test.each([
  ['192.0.2.1', '192.0.2.1', '192.0.2.2'],
  ['2001:db8:0:1::/64', '2001:db8:0:1:a::1', '2001:db8:0:2::1'],
])('somebody anonymous is answered while others of the network %s wait', async (network, same, other) => {
  const answered: string[] = []
  let waiting: Promise<unknown> = Promise.resolve()
  await occupying({ ...ANONYMOUS, network }, async () => {
    waiting = ask(from(same)).then(() => answered.push(same))
    expect((await ask(from(other))).status).toBe(200)
    expect(answered).toEqual([])
  })
  await waiting
})
