/** Inserting many rows: all of them, in as many statements as it takes, or none. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { insertEach } from '../../src/data/database/connection/dialects.ts'
import { IdSet } from '../../src/data/database/ids/id-sets.ts'
import { idText, type ObjectId } from '../../src/data/database/ids/ids.ts'
import { sql, type RowOf } from '../../src/data/database/connection/sql.ts'
import { wordTerm } from '../../src/data/values/terms.ts'
import { permitObjectCreation } from '../../src/data/permissions/user-rights.ts'
import { SYSTEM_TAGS, TAG_VALUES, TERMS, USERS } from '../../src/data/store/tables.ts'
import { objectsAbout } from '../../src/data/entities/objects.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { numberOf, openStores, rowsOf, type Opened } from './open.ts'

let opened: Opened
beforeAll(async () => {
  opened = await openStores()
})
afterAll(() => opened.close())

const TAG = 4711

function* terms(count: number): Generator<RowOf<typeof TERMS>> {
  const shared = Buffer.from('w\'\\"?\0\u00ff', 'latin1')
  for (let i = 0; i < count; i++) {
    const id = Buffer.alloc(16)
    id.writeUInt32BE(i)
    const term = i % 3 === 0 ? Buffer.from(`w${String(i)}`) : shared
    yield { tag_id: TAG, term, object_id: id }
  }
}

const stored = (): Promise<number> =>
  numberOf(opened.store, sql`SELECT COUNT(*) AS n FROM terms WHERE tag_id = ${TAG}`)

test.each([0, 1, 9, 127, 128, 129, 1999, 2000, 2001, 4533])('%i rows', async (count) => {
  await opened.store.write(SERVICE, async (tx) => {
    await tx.insert(TERMS, terms(count))
    await tx.insert(TERMS, [...terms(count)], tx.dialect.ignoreExisting(TERMS.key))
  })
  const rows = await rowsOf<RowOf<typeof TERMS>>(
    opened.store,
    sql`SELECT tag_id, term, object_id FROM terms WHERE tag_id = ${TAG} ORDER BY object_id`,
  )
  expect(rows).toEqual([...terms(count)])
  await opened.store.write(SERVICE, (tx) => tx.run(sql`DELETE FROM terms WHERE tag_id = ${TAG}`))
  expect(await stored()).toBe(0)
})

test('strings, numbers and NULL', async () => {
  const users = Array.from({ length: 30 }, (_, i) => ({
    id: 5000 + i,
    username: `münchen's ${String(i)}?`,
    role: 'user',
    password_hash: i % 2 === 0 ? null : 'none',
    object_id: Buffer.alloc(16, i),
  }))
  await opened.store.write(SERVICE, (tx) => tx.insert(USERS, users))
  const rows = await rowsOf<Record<string, Buffer | number | null>>(
    opened.store,
    sql`SELECT id, username, role, password_hash, object_id FROM users WHERE id >= 5000 ORDER BY id`,
  )
  const texts = users.map((user) => ({
    ...user,
    username: Buffer.from(user.username),
    role: Buffer.from(user.role),
    password_hash: user.password_hash === null ? null : Buffer.from(user.password_hash),
  }))
  expect(rows).toEqual(texts)
})

test('an exception while rows are made leaves none', async () => {
  function* broken(): Generator<RowOf<typeof TERMS>> {
    yield* terms(2700)
    throw new Error('no more rows')
  }
  await expect(opened.store.write(SERVICE, (tx) => tx.insert(TERMS, broken()))).rejects.toThrow(
    'no more rows',
  )
  expect(await stored()).toBe(0)
})

/** Rows of which the last one is there already. */
function* twice(count: number): Generator<RowOf<typeof TERMS>> {
  yield* terms(count)
  yield* terms(1)
}

test.each([1, 4533])('a row that is there already, after %i others, leaves none', async (count) => {
  await expect(
    opened.store.write(SERVICE, async (tx) => {
      await tx.insert(TERMS, twice(count))
      await tx.insert(TERMS, terms(count), tx.dialect.ignoreExisting(TERMS.key))
    }),
  ).rejects.toThrow()
  expect(await stored()).toBe(0)
})

test('after an INSERT that failed, nothing more is done in the transaction', async () => {
  let later: unknown[] = []
  const writing = opened.store.write(SERVICE, async (tx) => {
    // The store tries again.
    later = []
    await tx.insert(TERMS, twice(1))
    const rest = [
      () => tx.run(sql`DELETE FROM terms WHERE tag_id = ${TAG}`),
      () => tx.all(sql`SELECT 1 FROM terms WHERE tag_id = ${TAG}`),
      () => tx.insert(TERMS, terms(1)).then(() => tx.run(sql`DELETE FROM terms WHERE tag_id = ${TAG}`)),
    ]
    for (const more of rest) later.push(await more().catch((error: unknown) => error))
  })
  await expect(writing).rejects.toThrow()
  expect(later).toEqual([expect.any(Error), expect.any(Error), expect.any(Error)])
  expect(await stored()).toBe(0)
})

test('commands find what was inserted before them', async () => {
  const found: number[] = []
  await opened.store.write(SERVICE, async (tx) => {
    for (const count of [700, 5000]) {
      await tx.insert(TERMS, terms(count))
      const rows = await tx.all<{ n: number }>(sql`SELECT COUNT(*) AS n FROM terms WHERE tag_id = ${TAG}`)
      found.push(rows[0]?.n ?? 0, await tx.run(sql`DELETE FROM terms WHERE tag_id = ${TAG}`))
    }
  })
  expect(found).toEqual([700, 700, 5000, 5000])
})

test('about values of many new objects are inserted in the order of the key', async () => {
  const abouts = Array.from({ length: 1_200 }, (_, i) => `about ${String(i)}`)
  const ids: string[] = []
  await opened.store.write(SERVICE, async (tx) => {
    const insert = jest.spyOn(tx, 'insert')
    await objectsAbout(tx, permitObjectCreation(tx), abouts)
    for (const [table, rows] of insert.mock.calls) {
      if ((table as object) !== TAG_VALUES) continue
      for (const row of rows as Iterable<RowOf<typeof TAG_VALUES>>) ids.push(row.object_id.toString('hex'))
    }
  })
  expect(ids).toHaveLength(1_200)
  expect(ids).toEqual(ids.toSorted())
})

test.each([0, 1, 2, 700, 2_500])('%i rows that differ only in the id', async (count) => {
  const rows = Array.from({ length: count }, (_, i) => ({
    tag_id: TAG,
    term: Buffer.from("w'?"),
    object_id: Buffer.alloc(16, `id ${String(i)}`),
  }))
  rows.sort((a, b) => a.object_id.compare(b.object_id))
  const ids = IdSet.inOrder(Buffer.concat(rows.map((row) => row.object_id)))
  await opened.store.write(SERVICE, async (tx) => {
    const row = { tag_id: TAG, term: Buffer.from("w'?") }
    await tx.insertEach(insertEach(TERMS, row), ids)
    await tx.insertEach(insertEach(TERMS, row, tx.dialect.ignoreExisting(TERMS.key)), ids)
  })
  const found = await rowsOf<RowOf<typeof TERMS>>(
    opened.store,
    sql`SELECT tag_id, term, object_id FROM terms WHERE tag_id = ${TAG} ORDER BY object_id`,
  )
  expect(found).toEqual(rows)
  await opened.store.write(SERVICE, (tx) => tx.run(sql`DELETE FROM terms WHERE tag_id = ${TAG}`))
})

test('one of them that is there already leaves none', async () => {
  const ids = IdSet.inOrder(Buffer.concat([Buffer.alloc(16, 1), Buffer.alloc(16, 2)]))
  const each = insertEach(TERMS, { tag_id: TAG, term: Buffer.from('w') })
  const writing = opened.store.write(SERVICE, async (tx) => {
    await tx.insert(TERMS, [{ tag_id: TAG, term: Buffer.from('w'), object_id: Buffer.alloc(16, 2) }])
    await tx.insertEach(each, ids)
  })
  await expect(writing).rejects.toThrow()
  expect(await stored()).toBe(0)
})

test('words that many objects have are found on each of them, and so are words that few have', async () => {
  const abouts = Array.from(
    { length: 1_300 },
    (_, i) => `everywhere ${i < 2 ? 'twice' : ''} once${String(i)}`,
  )
  const objects = await opened.store.write(SERVICE, (tx) =>
    objectsAbout(tx, permitObjectCreation(tx), abouts),
  )
  const idsOf = async (word: string): Promise<ObjectId[]> => {
    const rows = await rowsOf<{ object_id: Buffer }>(
      opened.store,
      sql`SELECT object_id FROM terms WHERE tag_id = ${SYSTEM_TAGS.about.id} AND term = ${wordTerm(word)} ORDER BY object_id`,
    )
    return rows.map((row) => idText(row.object_id))
  }
  const made = abouts.map((about) => objects.get(about)?.object)
  expect(await idsOf('everywhere')).toEqual(made.toSorted())
  expect(await idsOf('twice')).toEqual(made.slice(0, 2).toSorted())
  for (const i of [0, 1, 499, 500, 1_299]) expect(await idsOf(`once${String(i)}`)).toEqual([made[i]])
})
