/** Work that is stopped: in the database, at once, without a trace, and with everything usable afterwards. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { raw, sql, type Sql } from '../../src/data/database/connection/sql.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import type { Caller, ReadTx, WriteTx } from '../../src/data/store/views.ts'
import { callerOf, numberOf, onSqlite, openStores, type Opened } from './open.ts'

let opened: Opened
let hasty: Store
let alice: Caller

beforeAll(async () => {
  opened = await openStores()
  hasty = createStore(opened.url, 50)
  alice = await callerOf(opened.store, 'alice')
})
afterAll(async () => {
  await hasty.close()
  await opened.close()
})

/** A single statement that would run for hours. */
const endless = <V>({ dialect }: ReadTx<V>): Sql =>
  onSqlite
    ? sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT count(*) AS n FROM n WHERE 1 = 1 ${dialect.stopPoint}`
    : raw(`SELECT BENCHMARK(1000000000000, SHA2('x', 512)) AS n`)

const TOO_COSTLY = { errorClass: 'QueryTooCostly', status: 413, facts: { query: 'has x/y' } }
const never = new AbortController().signal
const asking = <V>(tx: ReadTx<V>): Promise<unknown> => tx.inTime('has x/y', () => tx.all(endless(tx)))
const answers = async (store: Store): Promise<unknown> =>
  store.scan(alice, never, (tx) => tx.all(raw('SELECT 1 AS one')))

/** Resolves once the server runs no endless statement any more. */
async function untilIdle(): Promise<void> {
  if (onSqlite) return
  const running = sql`SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST
    WHERE INFO LIKE ${'SELECT BENCHMARK%'} AND DB = DATABASE()`
  while ((await numberOf(opened.store, running)) > 0);
}

describe('a statement beyond the time of its query', () => {
  test('is stopped in a scan, whose connection goes on', async () => {
    for (let round = 0; round < 4; round++) {
      await expect(hasty.scan(alice, never, asking)).rejects.toMatchObject(TOO_COSTLY)
      await untilIdle()
      expect(await answers(hasty)).toEqual([{ one: 1 }])
    }
  })

  test('is stopped in a write, which leaves no trace and holds up no other', async () => {
    const writing = async <V>(tx: WriteTx<V>, work: () => Promise<unknown>): Promise<void> => {
      await tx.run(sql`UPDATE tags SET value_bound = value_bound + 7 WHERE id = 1`)
      await work()
    }
    const bound = sql`SELECT value_bound AS n FROM tags WHERE id = 1`
    const before = await numberOf(opened.store, bound)
    for (let round = 0; round < 3; round++) {
      const stopped = hasty.write(alice, (tx) => writing(tx, () => asking(tx)))
      const others = [1, 2, 3].map(() => hasty.write(alice, (tx) => writing(tx, () => Promise.resolve())))
      await expect(stopped).rejects.toMatchObject(TOO_COSTLY)
      await Promise.all(others)
      await untilIdle()
    }
    expect(await numberOf(opened.store, bound)).toBe(before + 3 * 3 * 7)
  })
})

test('the queries of one request share its time', async () => {
  const sharing = hasty.scan(alice, never, async (tx) => {
    for (;;) await tx.inTime('has x/y', () => tx.all(raw('SELECT 1 AS one')))
  })
  await expect(sharing).rejects.toMatchObject(TOO_COSTLY)
})

test('waiting for other work is not part of a query’s time', async () => {
  const patient = hasty.scan(alice, never, async (tx) => {
    await asking(tx).catch(() => undefined)
  })
  await expect(Promise.all([patient, answers(hasty), answers(hasty), answers(hasty)])).rejects.toMatchObject(
    TOO_COSTLY,
  )
  expect(await answers(hasty)).toEqual([{ one: 1 }])
})

describe('a client that is gone', () => {
  test.each(['scan', 'write'] as const)('ends its statement in a %s', async (kind) => {
    const client = new AbortController()
    const started = Promise.withResolvers<undefined>()
    const work = async <V>(tx: ReadTx<V>): Promise<unknown> => {
      await tx.all(raw('SELECT 1 AS one'))
      started.resolve(undefined)
      return tx.all(endless(tx))
    }
    const ended =
      kind === 'scan'
        ? opened.store.scan(alice, client.signal, work)
        : opened.store.write(alice, work, client.signal)
    await started.promise
    client.abort()
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
    await untilIdle()
    expect(await answers(opened.store)).toEqual([{ one: 1 }])
  })

  test('begins nothing', async () => {
    let begun = false
    const work = <V>(tx: ReadTx<V>): Promise<unknown> => {
      begun = true
      return tx.all(raw('SELECT 1 AS one'))
    }
    await expect(opened.store.write(alice, work, AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(begun).toBe(true)
  })
})
