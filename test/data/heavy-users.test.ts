/** The statements by which an operator finds the user who fills the store, as the document has them. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createConnection } from 'mysql2/promise'
import { raw } from '../../src/data/database/connection/sql.ts'
import { startService, type Service } from '../support/service.ts'
import { onSqlite, rowsOf } from './open.ts'

const document = readFileSync(new URL('../../docs/full-disk.md', import.meta.url), 'utf8')
const statements = [...document.matchAll(/^```sql\n([^]*?);\n```$/gm)].map(([, text = '']) => text)

let service: Service
beforeAll(async () => {
  service = await startService()
  const values = (tag: string, count: number, text: string): Promise<unknown> =>
    service.ok('PUT', '/values', {
      as: tag.split('/')[0] as string,
      json: {
        queries: Array.from({ length: count }, (_, i) => [
          `service/about = "${String(i)}"`,
          { [tag]: { value: text } },
        ]),
      },
    })
  await values('alice/small', 50, 'x')
  await values('alice/large', 20, 'x'.repeat(2000))
  await values('bob/small', 30, 'x')
})
afterAll(() => service.stop())

/** The rows of a statement, as an operator's program gets them. */
async function run(text: string): Promise<string[][]> {
  const rows = onSqlite ? await rowsOf<object>(service.store, raw(text)) : await ofServer(text)
  return rows.map((row) => Object.values(row).map(String))
}

async function ofServer(text: string): Promise<object[]> {
  const connection = await createConnection(service.databaseUrl)
  try {
    const [rows] = await connection.query(text)
    return rows as object[]
  } finally {
    await connection.end()
  }
}

test('the users who wrote most, and the tags of one of them', async () => {
  const [users, tags] = await Promise.all(statements.map(run))
  expect(statements).toHaveLength(2)
  expect(users?.[0]).toEqual(['alice', '70', String(50 * 3 + 20 * 2002)])
  expect(users?.map(([name]) => name)).toContain('bob')
  expect(tags).toEqual([
    ['alice/large', '20', String(20 * 2002)],
    ['alice/small', '50', String(50 * 3)],
  ])
})
