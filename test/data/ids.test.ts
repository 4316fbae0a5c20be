/** The numeric ids of users, namespaces and tags: each is given out once, however many processes there are. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { IdSpace } from '../../src/data/store/id-allocator.ts'
import { LAST_SYSTEM_TAG_ID } from '../../src/data/store/tables.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { openStores, type Opened } from './open.ts'

let opened: Opened
beforeAll(async () => {
  opened = await openStores(3)
})
afterAll(() => opened.close())

test.each<IdSpace>(['users', 'namespaces', 'tags'])('no two %s get the same id', async (space) => {
  const given = await Promise.all(
    Array.from({ length: 240 }, (_, i) =>
      (opened.stores[i % opened.stores.length] ?? opened.store).write(SERVICE, async (tx) => [
        await tx.newId(space),
        await tx.newId(space),
      ]),
    ),
  )
  const ids = given.flat()
  expect(new Set(ids).size).toBe(480)
  expect(Math.min(...ids)).toBeGreaterThan(LAST_SYSTEM_TAG_ID)
  expect(ids.every((id) => Number.isInteger(id))).toBe(true)
})

test('an id from a failed transaction is given out at most once more', async () => {
  const ids = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      let id = 0
      const attempt = opened.store.write(SERVICE, async (tx) => {
        id = await tx.newId('tags')
        if (i % 2 === 0) throw new Error('on purpose')
      })
      await attempt.catch(() => (id = 0))
      return id
    }),
  )
  const kept = ids.filter((id) => id !== 0)
  expect([kept.length, new Set(kept).size]).toEqual([50, 50])
})
