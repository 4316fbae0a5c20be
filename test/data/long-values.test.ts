/** The parts of long values are found by their key, not by reading those of all others. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { MYSQL, SQLITE } from '../../src/data/database/connection/dialects.ts'
import type { Sql } from '../../src/data/database/connection/sql.ts'
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
  const explain = onSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN FORMAT=TRADITIONAL'
  const plan = await rowsOf<object>(opened.store, { text: `${explain} ${text}`, values })
  const told = plan.map((row) => Object.values(row).map(String).join(' ')).join('\n')
  expect(told).toMatch(onSqlite ? /SEARCH value_parts USING INDEX/ : /value_parts.* (?:ref|range|const) /)
})

test('very long values that are read at once are begun one in each turn of the event loop', async () => {
  let turn = 0
  let counting = true
  const count = (): void => {
    turn += 1
    if (counting) setImmediate(count)
  }
  count()
  const begun: number[] = []
  const tx = {
    dialect: onSqlite ? SQLITE : MYSQL,
    all: () => {
      begun.push(turn)
      return Promise.resolve([])
    },
  }
  const row: Partial<ValueRow> = { tag_id: 1, object_id: Buffer.alloc(16), content: null, size: 16_000_000 }
  const reading = Array.from({ length: 4 }, () =>
    contentOf(tx as unknown as ReadTx<unknown>, row as ValueRow),
  )
  await Promise.all(reading)
  counting = false
  expect(new Set(begun).size).toBe(4)
})
