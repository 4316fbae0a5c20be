/** The parts of long values are found by their key, not by reading those of all others. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { MYSQL, SQLITE } from '../../src/data/database/dialects.ts'
import type { Sql } from '../../src/data/database/sql.ts'
import type { ReadTx } from '../../src/data/store/views.ts'
import { contentOf, type ValueRow } from '../../src/data/values/reading.ts'
import { onSqlite, openStores, rowsOf, type Opened } from './open.ts'

let opened: Opened
beforeAll(async () => {
  opened = await openStores()
})
afterAll(() => opened.close())

/** The statement that reads the parts of a value. */
async function statement(): Promise<Sql> {
  let asked: Sql | undefined
  const tx = {
    dialect: onSqlite ? SQLITE : MYSQL,
    all: (sql: Sql) => {
      asked = sql
      return Promise.resolve([])
    },
  }
  const row: Partial<ValueRow> = { tag_id: 1, object_id: Buffer.alloc(16), content: null, size: 600 }
  await contentOf(tx as unknown as ReadTx<unknown>, row as ValueRow)
  if (asked === undefined) throw new Error('nothing was asked for')
  return asked
}

test('the parts of a value are looked up', async () => {
  const { text, values } = await statement()
  const explain = onSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
  const plan = await rowsOf<object>(opened.store, { text: `${explain} ${text}`, values })
  const told = plan.map((row) => Object.values(row).map(String).join(' ')).join('\n')
  expect(told).toMatch(onSqlite ? /SEARCH value_parts USING INDEX/ : /value_parts.* (?:ref|range|const) /)
})
