/** The fire drill, `npm run drill`, in small: nothing that was acknowledged is lost, and no copy differs. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { drill } from '../../scripts/drill/drill.ts'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { onSqlite } from './open.ts'

const databases: FreshDatabase[] = []
const ELSEWHERE = onSqlite ? 'sqlite' : 'mysql'

beforeAll(async () => {
  for (const kind of ['sqlite', ELSEWHERE, ELSEWHERE, 'sqlite'] as const)
    databases.push(await freshDatabase(kind))
})
afterAll(() => Promise.all(databases.map((database) => database.drop())))

test('a service is backed up under writes, and its backup goes from SQLite to another store and back', async () => {
  const [source = '', underWrites = '', ...copies] = databases.map(({ url }) => url)
  const told: string[] = []
  const options = { source, underWrites, copies, objects: 300, writers: 3 }
  const result = await drill({ ...options, tell: (line) => void told.push(line) })
  expect(told).toHaveLength(5)
  expect(result).toMatchObject({ lost: 0 })
  expect(result.acknowledged).toBeGreaterThan(10)
  expect(result.comparisons).toHaveLength(2)
  for (const { tables } of result.comparisons) {
    expect(tables.filter(({ differences }) => differences > 0)).toEqual([])
    expect(tables.filter(({ rows }) => rows === 0)).toEqual([])
  }
})
