/** What a database returns as text in place of bytes is a fault of the service, and never read as a value. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { raw, sql } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { openStores, type Opened } from './open.ts'

let opened: Opened
beforeAll(async () => {
  opened = await openStores()
})
afterAll(() => opened.close())

const COLUMNS = [`'text' AS name`, `CONVERT(path USING utf8mb4) AS name`, `CONCAT('tag ', id) AS name`]

test.each(COLUMNS)('SELECT %s fails', async (column) => {
  const { store } = opened
  const statement = sql`SELECT ${raw(column)} FROM tags`
  await expect(store.read(SERVICE, (tx) => tx.all(statement))).rejects.toThrow(
    'text in place of bytes as name',
  )
  const long = store.scan(SERVICE, new AbortController().signal, (tx) => tx.all(statement))
  await expect(long).rejects.toThrow('text in place of bytes as name')
})

test('ids that are no bytes of 16 fail', async () => {
  const { store } = opened
  for (const column of [`'0123456789012345'`, `x'00'`, `NULL`]) {
    const ids = store.read(SERVICE, (tx) => tx.ids(sql`SELECT ${raw(column)} AS object_id FROM tags`))
    await expect(ids).rejects.toThrow('no id of 16 bytes')
  }
})

test('bytes of all values come back as they were sent, also from expressions', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
  const row = await opened.store.read(SERVICE, (tx) =>
    tx.one(sql`SELECT CONCAT(${bytes}, path) AS a, COALESCE(NULL, ${bytes}) AS b, CAST(${bytes} AS BINARY) AS c
      FROM tags WHERE path = ${'service/about'}`),
  )
  expect(row).toEqual({ a: Buffer.concat([bytes, Buffer.from('service/about')]), b: bytes, c: bytes })
})
