/** Connections to the database that are cut, reset, frozen or slowed at every point: nothing waits for ever. */
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { SCAN_PLACES } from '../../src/data/database/knex-config.ts'
import { raw, sql } from '../../src/data/database/connection/sql.ts'
import { openSession } from '../../src/data/database/mysql/mysql-settings.ts'
import { executor } from '../../src/data/database/mysql/mysql.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import {
  askedOf,
  faultOf,
  holdAllPlaces,
  sendSample,
  SHORT_WAITS,
  startHarmed,
  untilGreen,
  type Harmed,
} from '../support/harmed.ts'
import { HARMS, POINTS, TcpProxy, type Harm, type Point } from '../support/tcp-proxy.ts'
import { expectSound } from '../support/sound.ts'
import { numberOf } from './open.ts'

let harmed: Harmed
beforeAll(async () => {
  harmed = await startHarmed()
})
afterEach(() => expectSound(harmed.calm.store))
afterAll(() => harmed.stop())

const KINDS = [
  'GET /about/{about_value}/{tag_path}',
  'PUT /about/{about_value}/{tag_path}',
  'DELETE /about/{about_value}/{tag_path}',
  'GET /objects',
  'GET /values',
  'PUT /values',
  'DELETE /values',
  'POST /tags/{tag_path}',
  'PUT /permissions/tag-values/{tag_path}',
  'GET /users/{username}',
  'PUT /users/{username}',
  'GET /recent/objects',
  'GET /recent/users',
]

/** Sends a request that loses the connection of its statement number `after`; returns whether it had so many. */
async function harmOnce(operation: string, harm: Harm, point: Point, after: number): Promise<boolean> {
  const sample = await askedOf(harmed, operation)
  harmed.proxy.set({ harm, point, after })
  const answer = await sendSample(harmed, sample)
  const spared = harmed.proxy.takeBack()
  if (harm === 'slow') harmed.proxy.thaw()
  expect([operation, point, after, faultOf(sample, answer)]).toEqual([operation, point, after, undefined])
  return !spared
}

describe.each(HARMS)('what happens to a connection: %s', (harm) => {
  // To wait until a frozen one is given up takes a while, and so do drops. A reset differs from a cut in its error only.
  const statements = harm === 'cut' ? [...Array(30).keys()] : [0, 2]

  test.each(POINTS)('at the %s, is survived by every kind of request', async (point) => {
    for (const operation of KINDS) {
      for (const after of statements) if (!(await harmOnce(operation, harm, point, after))) break
    }
    await untilGreen(harmed, KINDS)
  })
})

test.each(HARMS)(
  'what happens to all connections, %s, is survived by requests of every kind',
  async (harm) => {
    const samples = await Promise.all(KINDS.map((operation) => askedOf(harmed, operation)))
    const answers = samples.map((sample) => sendSample(harmed, sample))
    // As soon as any of them is answered, others are under way.
    await Promise.race(answers)
    harmed.proxy.harmAll(harm)
    const faults = samples.map(async (sample, i) =>
      faultOf(sample, await (answers[i] as (typeof answers)[0])),
    )
    expect((await Promise.all(faults)).filter((fault) => fault !== undefined)).toEqual([])
    await untilGreen(harmed, KINDS)
  },
)

test('a server that is frozen is a 503, and serves again when it goes on', async () => {
  await untilGreen(harmed, KINDS)
  const samples = await Promise.all(KINDS.map((operation) => askedOf(harmed, operation)))
  harmed.proxy.freeze()
  const answers = await Promise.all(samples.map((sample) => sendSample(harmed, sample)))
  expect(answers.map(({ status, error }) => [status, error])).toEqual(
    KINDS.map(() => [503, 'ServiceUnavailable']),
  )
  harmed.proxy.thaw()
  await untilGreen(harmed, KINDS)
})

test('a server that is frozen is waited for once, not by each request that waits for its turn', async () => {
  await untilGreen(harmed, KINDS)
  const { store } = harmed.service
  const never = new AbortController().signal
  let begun = 0
  const scans = Array.from({ length: 12 }, () =>
    store.scan(SERVICE, never, (tx) => {
      begun++
      return tx.all(raw('SELECT SLEEP(600)'))
    }),
  )
  while (begun === 0) await setImmediate()
  harmed.proxy.freeze()
  const ends = await Promise.allSettled(scans)
  expect(ends.map((end) => (end.status === 'rejected' ? (end.reason as unknown) : undefined))).toEqual(
    scans.map(() => expect.objectContaining({ errorClass: 'ServiceUnavailable' })),
  )
  // One party has the first place and the further ones.
  expect(begun).toBeLessThanOrEqual(1 + SCAN_PLACES.further)
  harmed.proxy.thaw()
  await untilGreen(harmed, KINDS)
})

test('a store closes although its server is frozen in the middle of statements', async () => {
  const proxy = await TcpProxy.start(harmed.calm.databaseUrl)
  const waits = { ...SHORT_WAITS, connect: 10_000, place: 10_000, statement: 3_600_000, close: 100 }
  const store = createStore(proxy.url, undefined, waits)
  await store.readRow(raw('SELECT 1 AS one'))
  await holdAllPlaces(store)
  proxy.freeze()
  const pending = expect(store.readRow(raw('SELECT 1 AS one'))).rejects.toMatchObject({ status: 503 })
  await store.close()
  await pending
  await proxy.stop()
})

describe('a statement whose rows are packed as they arrive', () => {
  test.each(['cut', 'reset', 'freeze'] as const)('fails at any point: %s', async (harm) => {
    for (const point of POINTS) {
      const proxy = await TcpProxy.start(harmed.calm.databaseUrl)
      const session = await openSession(proxy.url, 'read', SHORT_WAITS)
      const text = 'SELECT object_id FROM tag_values ORDER BY object_id'
      const execute = executor(session)
      expect(await execute({ do: 'ids', text, values: [] })).not.toHaveLength(0)
      proxy.set({ harm, point, after: 0 })
      await expect(execute({ do: 'ids', text, values: [] })).rejects.toThrow()
      // One that is asked when the connection is gone, too.
      await expect(execute({ do: 'ids', text, values: [] })).rejects.toThrow()
      await session.closed
      await proxy.stop()
    }
  })
})

describe('a server that works too long', () => {
  const store = (): Store => harmed.service.store
  // For each of two rows: on MySQL, a SLEEP that is stopped in the last row is no failure.
  const sleep = (seconds: number) =>
    raw(`SELECT SLEEP(${String(seconds / 2)}) AS slept FROM (SELECT 1 UNION ALL SELECT 2) two`)
  const never = new AbortController().signal
  const unavailable = { errorClass: 'ServiceUnavailable', status: 503 }

  test('is given up by a short read', async () => {
    await expect(store().readRow(sleep(600))).rejects.toMatchObject(unavailable)
    await expect(store().read(SERVICE, (tx) => tx.all(sleep(600)))).rejects.toMatchObject(unavailable)
  })

  test('is given up by a short write, which is not run again, and stops', async () => {
    let runs = 0
    const write = store().write(SERVICE, async (tx) => {
      runs++
      await tx.all(sleep(600))
    })
    await expect(write).rejects.toMatchObject(unavailable)
    expect(runs).toBe(1)
    const working = sql`SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST
      WHERE INFO LIKE ${'SELECT SLEEP(%'} AND DB = DATABASE()`
    while ((await numberOf(harmed.calm.store, working)) > 0);
  })

  test('is waited for by what may take long', async () => {
    const seconds = (2.5 * SHORT_WAITS.statement) / 1000
    const slept = [{ slept: 0 }, { slept: 0 }]
    expect(await store().write(SERVICE, (tx) => tx.all(sleep(seconds)), never)).toEqual(slept)
    expect(await store().scan(SERVICE, never, (tx) => tx.all(sleep(seconds)))).toEqual(slept)
    // Bytes that are no text are part of what the server shows of its work.
    const withBytes = sql`SELECT SLEEP(${seconds}) AS slept FROM (SELECT 1) one WHERE ${Buffer.of(0xff)} <> ''`
    expect(await store().scan(SERVICE, never, (tx) => tx.all(withBytes))).toEqual([{ slept: 0 }])
  })
})
