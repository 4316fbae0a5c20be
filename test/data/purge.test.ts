/** The purge deletes the rows that deleted tags leave behind, and nothing else. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { purge } from '../../src/data/operations/purge.ts'
import { sql } from '../../src/data/database/connection/sql.ts'
import type { Store } from '../../src/data/store/store.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { startService, type Service } from '../support/service.ts'
import { numberOf, rowsOf } from './open.ts'

const OBJECTS = 2300
const HOUR_MICROSECONDS = 3_600_000_000

let service: Service
/** The ids of the tags, by path. */
const ids = new Map<string, number>()

/** The number of a tag's rows in each of the three tables that hold values. */
const rowsOfTag = async (path: string): Promise<number[]> => {
  const id = ids.get(path) ?? 0
  return [
    await numberOf(service.store, sql`SELECT count(*) AS n FROM tag_values WHERE tag_id = ${id}`),
    await numberOf(service.store, sql`SELECT count(*) AS n FROM value_parts WHERE tag_id = ${id}`),
    await numberOf(service.store, sql`SELECT count(*) AS n FROM terms WHERE tag_id = ${id}`),
  ]
}

const waiting = async (): Promise<number[]> =>
  (await rowsOf<{ tag_id: number }>(service.store, sql`SELECT tag_id FROM tag_purges ORDER BY tag_id`)).map(
    ({ tag_id: id }) => id,
  )

/** Gives `count` objects a value of each tag; every hundredth value is a long one. */
async function fill(paths: readonly string[], count: number): Promise<void> {
  const queries = Array.from({ length: count }, (_, i) => {
    const value = i % 100 === 0 ? `long ${String(i)} ${'x'.repeat(600)}` : `short ${String(i)}`
    const id = `${i.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
    return [`service/id = "${id}"`, Object.fromEntries(paths.map((path) => [path, { value }]))]
  })
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
  const rows = await rowsOf<{ id: number; path: Buffer }>(service.store, sql`SELECT id, path FROM tags`)
  for (const { id, path } of rows) ids.set(path.toString(), id)
}

beforeAll(async () => {
  service = await startService()
  await fill(['alice/doomed', 'alice/kept'], OBJECTS)
})
afterAll(() => service.stop())

const FULL = [OBJECTS, OBJECTS / 100, OBJECTS * 2 + OBJECTS / 100]

test('nothing is purged while the tag exists', async () => {
  await purge(service.store, SERVICE)
  expect(await rowsOfTag('alice/doomed')).toEqual(FULL)
})

test('the rows of a deleted tag are purged and others are kept', async () => {
  await service.ok('DELETE', '/tags/alice/doomed', { as: 'alice' })
  expect(await rowsOfTag('alice/doomed')).toEqual(FULL)
  expect(await waiting()).toEqual([ids.get('alice/doomed')])
  await purge(service.store, SERVICE)
  expect(await rowsOfTag('alice/doomed')).toEqual([0, 0, 0])
  expect(await rowsOfTag('alice/kept')).toEqual(FULL)
})

test('a late writer’s rows are purged the next time, within an hour of the deletion', async () => {
  const doomed = ids.get('alice/doomed') ?? 0
  expect(await waiting()).toEqual([doomed])
  await service.store.write(SERVICE, async (tx) => {
    await tx.run(
      sql`INSERT INTO terms (tag_id, term, object_id) VALUES (${doomed}, ${'wlate'}, ${Buffer.alloc(16)})`,
    )
  })
  await purge(service.store, SERVICE)
  expect(await rowsOfTag('alice/doomed')).toEqual([0, 0, 0])
  expect(await waiting()).toEqual([doomed])
  await service.store.write(SERVICE, async (tx) => {
    await tx.run(sql`UPDATE tag_purges SET deleted_at = ${tx.now - 2 * HOUR_MICROSECONDS}`)
  })
  await purge(service.store, SERVICE)
  expect(await waiting()).toEqual([])
})

test('a tag created again at the same path keeps its new values', async () => {
  await fill(['alice/doomed'], 50)
  await service.ok('DELETE', '/tags/alice/doomed', { as: 'alice' })
  await fill(['alice/doomed'], 20)
  await purge(service.store, SERVICE)
  expect((await rowsOfTag('alice/doomed'))[0]).toBe(20)
  const query = 'has alice/doomed'
  const { ids: found } = (await service.ok('GET', '/objects', { query: { query } })).json() as {
    ids: string[]
  }
  expect(found).toHaveLength(20)
})

test('two processes can purge at once while values are written', async () => {
  await fill(['alice/other'], 1200)
  await service.ok('DELETE', '/tags/alice/other', { as: 'alice' })
  await Promise.all([purge(service.store, SERVICE), purge(service.store, SERVICE), fill(['alice/kept'], 300)])
  expect(await rowsOfTag('alice/other')).toEqual([0, 0, 0])
  expect(await rowsOfTag('alice/kept')).toEqual(FULL)
})

test('no step deletes more than a thousand rows, also of a word that more objects have', async () => {
  await fill(['alice/wordy'], OBJECTS)
  await service.ok('DELETE', '/tags/alice/wordy', { as: 'alice' })
  const left: number[][] = [await rowsOfTag('alice/wordy')]
  const watched: Store = {
    ...service.store,
    write: async (caller, work, signal) => {
      const result = await service.store.write(caller, work, signal)
      left.push(await rowsOfTag('alice/wordy'))
      return result
    },
  }
  await purge(watched, SERVICE)
  const deleted = left.slice(1).map((rows, i) => Math.max(...rows.map((n, j) => (left[i]?.[j] ?? 0) - n)))
  expect(Math.max(...deleted)).toBeLessThanOrEqual(1000)
  expect(left.at(-1)).toEqual([0, 0, 0])
})
