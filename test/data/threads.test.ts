/** Connections in threads: how sets of ids pass to them and back, and what happens when a thread ends. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openPool } from '../../src/data/database/pool.ts'
import { IdSet, type OwnedIds } from '../../src/data/database/ids/id-sets.ts'
import type { Merge } from '../../src/data/database/ids/id-set-merging.ts'
import { ID_BYTES, idBytes, newObjectId } from '../../src/data/database/ids/ids.ts'
import { raw, sql } from '../../src/data/database/connection/sql.ts'
import type { Reading } from '../../src/data/store/store.ts'
import type { Caller, ReadTx } from '../../src/data/store/views.ts'
import { ConnectionThread } from '../../src/data/database/threads/threads.ts'
import { waitsFor } from '../../src/data/database/connection/waits.ts'
import { callerOf, onSqlite, openStores, type Opened } from './open.ts'

let opened: Opened
let alice: Caller

beforeAll(async () => {
  opened = await openStores()
  alice = await callerOf(opened.store, 'alice')
})
afterAll(() => opened.close())

const scan = <T>(work: Reading<T>): Promise<T> => opened.store.scan(alice, new AbortController().signal, work)

/** `count` sorted ids, as a part of a larger buffer. */
function idsOf(count: number): Buffer {
  const ids = Array.from({ length: count }, () => idBytes(newObjectId())).sort((a, b) => Buffer.compare(a, b))
  return Buffer.concat([Buffer.alloc(7), ...ids, Buffer.alloc(9)]).subarray(7, 7 + count * ID_BYTES)
}

test.each([1, 2, 3, 1000])('a statement takes a set of %d ids', async (count) => {
  const ids = idsOf(count)
  const [first, last] = [ids.subarray(0, ID_BYTES), ids.subarray(-ID_BYTES)]
  const statement = <V>({ dialect }: ReadTx<V>) =>
    sql`SELECT d.object_id FROM ${dialect.idsAsTable(ids)} d WHERE d.object_id IN (${dialect.inIds(ids)})`
  const within = sql`d.object_id >= ${first} AND d.object_id <= ${last}`
  const ordered = await scan((tx) => tx.ids(sql`${statement(tx)} AND ${within} ORDER BY object_id`))
  expect(ordered.bytes).toEqual(ids)
  expect((await scan((tx) => tx.sortedIds(statement(tx), count))).bytes).toEqual(ids)
  expect(await scan((tx) => tx.all(sql`${statement(tx)} ORDER BY object_id LIMIT 1`))).toEqual([
    { object_id: first },
  ])
})

test.each([10, 40_000])('sets of %d ids are merged, in this thread or in the connection’s', async (count) => {
  const [a, b] = [idsOf(count), idsOf(count)]
  const all = Buffer.concat([a, b])
  const own = (ids: Buffer): OwnedIds => IdSet.inOrder(Buffer.from(new Uint8Array(ids).buffer)).consume()
  const merged = async (merge: Merge, a: Buffer, b: Buffer): Promise<Buffer> =>
    (await scan((tx) => tx.merge(merge, own(a), own(b)))).bytes
  expect(await merged('union', b, a)).toEqual(all)
  expect(await merged('intersection', all, b)).toEqual(b)
  expect(await merged('difference', all, b)).toEqual(a)
  expect(await merged('intersection', a, b)).toHaveLength(0)
})

test('an empty set of ids matches nothing', async () => {
  const none = Buffer.alloc(0)
  const statement = <V>({ dialect }: ReadTx<V>) =>
    sql`SELECT object_id FROM tag_values WHERE object_id IN (${dialect.inIds(none)})`
  expect((await scan((tx) => tx.ids(statement(tx)))).bytes).toEqual(none)
  expect(await scan((tx) => tx.all(statement(tx)))).toEqual([])
})

test('an error of the database keeps its code', async () => {
  const error: unknown = await scan((tx) => tx.all(raw('SELECT id FROM no_such_table'))).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toHaveProperty('code', onSqlite ? 'SQLITE_ERROR' : 'ER_NO_SUCH_TABLE')
  expect(error).toHaveProperty('message', expect.stringContaining('no_such_table'))
})

describe('when a thread ends', () => {
  const open = (): ConnectionThread =>
    new ConnectionThread({ databaseUrl: opened.url, purpose: 'scan', waits: waitsFor(0) })
  const one = { do: 'all', text: 'SELECT 1 AS one', values: [] } as const

  test('its pending and later commands fail', async () => {
    const thread = open()
    expect(await thread.execute(one)).toEqual([{ one: 1 }])
    expect(thread.isUsable).toBe(true)
    const closed = thread.close()
    await expect(thread.execute(one)).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' })
    await closed
    expect(thread.isUsable).toBe(false)
    await expect(thread.execute(one)).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' })
  })

  test('the pool replaces it', async () => {
    const pool = openPool(opened.url, 'scan')
    try {
      const ended = await pool.acquire()
      pool.release(ended)
      await ended.raw.close()
      const connection = await pool.acquire()
      expect(await connection.all(raw(one.text))).toEqual([{ one: 1 }])
      pool.release(connection)
    } finally {
      await pool.close()
    }
  })
})

// Nobody else can end a connection to SQLite.
if (!onSqlite) {
  test('work survives when the server ends idle or busy connections', async () => {
    const own = <V>(tx: ReadTx<V>) => tx.one<{ id: number }>(sql`SELECT CONNECTION_ID() AS id`)
    const killer = openPool(opened.url, 'migrate')
    const kill = (id: number | undefined) => killer.knex.raw(`KILL ${String(id)}`)
    try {
      await kill((await scan(own))?.id)
      let tries = 0
      const answer = await scan(async (tx) => {
        const connection = await own(tx)
        if (++tries === 1) await kill(connection?.id)
        return tx.one(sql`SELECT 1 AS one`)
      })
      expect([answer, tries]).toEqual([{ one: 1 }, 2])
    } finally {
      await killer.close()
    }
  })
}
