/** Connections in threads: how sets of ids pass to them and back, and what happens when a thread ends. */
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openPool } from '../../src/data/database/pool.ts'
import { IdSet, type OwnedIds } from '../../src/data/database/id-sets.ts'
import type { Merge } from '../../src/data/database/id-set-merging.ts'
import { ID_BYTES, idBytes, newObjectId } from '../../src/data/database/ids.ts'
import { raw, sql } from '../../src/data/database/sql.ts'
import type { Reading } from '../../src/data/store/store.ts'
import type { Caller, ReadTx } from '../../src/data/store/views.ts'
import { ConnectionThread } from '../../src/data/database/threads.ts'
import { waitsFor } from '../../src/data/database/waits.ts'
import { executor, open as openSqlite } from '../../src/data/database/sqlite.ts'
import { noteTaken, type SmallCaches } from '../../src/memory.ts'
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

/** What a short and a long read cache, by which part of the room is taken. */
async function cacheByRoom(): Promise<void> {
  const { store } = opened
  const cache = <V>(tx: ReadTx<V>): Promise<unknown> => tx.one(raw('PRAGMA cache_size'))
  const caches = async (): Promise<unknown[]> => [await store.read(alice, cache), await scan(cache)]
  const kib = (...sizes: readonly number[]) => sizes.map((size) => ({ cache_size: -size }))
  try {
    for (const [part, sizes] of [
      [0.33, kib(8192, 32_768)],
      [0.34, kib(1024, 1024)],
      [0, kib(8192, 32_768)],
    ] as const) {
      noteTaken(part)
      expect(await caches()).toEqual(sizes)
    }
  } finally {
    noteTaken(0)
  }
}

/** Until an idle connection caches as little as it may while memory is scarce. */
async function idleCache(): Promise<void> {
  const small: SmallCaches = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const db = openSqlite(opened.url, 'read')
  executor(db, small)
  const cache = (): unknown => db.pragma('cache_size', { simple: true })
  expect(cache()).toBe(-8192)
  Atomics.store(small, 0, 1)
  while (cache() !== -1024) await setTimeout(20)
  Atomics.store(small, 0, 0)
  while (cache() !== -8192) await setTimeout(20)
  db.close()
}

/** Until an idle connection has fitted its cache that could not do so at first. */
async function idleLocked(): Promise<void> {
  const small: SmallCaches = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const db = openSqlite(opened.url, 'read')
  executor(db, small)
  const pragma = db.pragma.bind(db)
  let tries = 0
  db.pragma = (...args) => {
    if (++tries === 1) throw new Error('database is locked')
    return pragma(...args)
  }
  Atomics.store(small, 0, 1)
  while (tries < 2) await setTimeout(20)
  expect(db.pragma('cache_size', { simple: true })).toBe(-1024)
  db.close()
}

if (onSqlite) {
  test('connections cache less while more than a third of the room is taken', cacheByRoom)
  test('so do connections that are idle', idleCache)
  test('or as soon as they can', idleLocked)
}

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
