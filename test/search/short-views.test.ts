/** Which searches the short view answers, and that all others leave it after little work. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Counting } from '../../src/data/paging/matches.ts'
import { findPage } from '../../src/data/paging/page.ts'
import { recentValues } from '../../src/data/operations/recent.ts'
import { tagAt } from '../../src/data/permissions/permissions.ts'
import { search, searching } from '../../src/data/search/search.ts'
import { SHORT_VIEW_ROWS } from '../../src/data/store/costs.ts'
import type { Store } from '../../src/data/store/store.ts'
import { raw, sql, type Sql } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { noUsage, using } from '../../src/scheduling/usage.ts'
import { startService, type Service } from '../support/service.ts'

const OBJECT = '0197a3c0-5a5a-7000-8000-00000000000a'

/** 0 to 99,999, as five columns of digits. */
const DIGITS: Sql = raw(
  ['a', 'b', 'c', 'd', 'e']
    .map(
      (name) =>
        `(SELECT 0 AS d ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((d) => `UNION ALL SELECT ${String(d)}`).join(' ')}) ${name}`,
    )
    .join(' CROSS JOIN '),
)
const NUMBER = raw('concat(a.d, b.d, c.d, d.d, e.d)')

let service: Service
let store: Store

/** Gives 100,000 objects a value of alice/all, "v00000" to "v99999", and every tenth the same of alice/some. */
async function multiply(): Promise<void> {
  await service.store.write(SERVICE, async (tx) => {
    const bytes = raw(tx.dialect.name === 'sqlite' ? 'BLOB' : 'BINARY')
    for (const [path, which] of [
      ['alice/all', raw('1 = 1')],
      ['alice/some', raw('e.d = 0')],
    ] as const) {
      await tx.run(sql`
        INSERT INTO tag_values (tag_id, object_id, type, sort_key, content, size, content_type, updated_at, user_id)
        SELECT v.tag_id, CAST(concat('many object', ${NUMBER}) AS ${bytes}), v.type,
          CAST(concat(char(4), 'v', ${NUMBER}) AS ${bytes}), CAST(concat('"v', ${NUMBER}, '"') AS ${bytes}),
          8, v.content_type, v.updated_at, v.user_id
        FROM (SELECT v.* FROM tag_values v JOIN tags t ON t.id = v.tag_id WHERE t.path = ${path}) v
          CROSS JOIN ${DIGITS}
        WHERE ${which} ORDER BY 2`)
      await tx.run(sql`
        INSERT INTO terms (tag_id, term, object_id)
        SELECT t.id, CAST(concat('wv', ${NUMBER}) AS ${bytes}), CAST(concat('many object', ${NUMBER}) AS ${bytes})
        FROM (SELECT id FROM tags WHERE path = ${path}) t CROSS JOIN ${DIGITS}
        WHERE ${which} ORDER BY 2, 3`)
      const tag = await tx.one<{ id: number }>(sql`SELECT id FROM tags WHERE path = ${path}`)
      tx.noteValues(tag?.id ?? 0, 100_000)
    }
  })
}

beforeAll(async () => {
  service = await startService()
  store = watched(service.store)
  const values = {
    'alice/all': { value: 'x' },
    'alice/some': { value: 'x' },
    'alice/one': { value: 1 },
    'alice/words': { value: 'bee beetle beech' },
    'alice/many': { value: Array.from({ length: 2001 }, (_, i) => `bee${String(i)}`).join(' ') },
  }
  await service.ok('PUT', '/values', {
    as: 'alice',
    json: { queries: [[`service/id = "${OBJECT}"`, values]] },
  })
  await multiply()
})
afterAll(() => service.stop())

interface Course {
  readonly found: number
  /** How many long views were opened. */
  readonly scans: number
  /** How many rows the statements of the short view returned. */
  readonly rows: number
  /** How often the search was reported. */
  readonly reports: number
}

let [scans, reports, rows] = [0, 0, 0]

/** The store of the service; what runs in its views is counted. */
const watched = (store: Store): Store => ({
  ...store,
  look: (caller, signal, work) =>
    store.look(caller, signal, async (tx) => {
      if (!tx.isShort) {
        scans++
        return work(tx)
      }
      const usage = noUsage()
      try {
        return await using(usage, () => work(tx))
      } finally {
        rows += usage.rows
      }
    }),
})

const observe = (): void => {
  reports++
}
const asking = () => ({ store, caller: SERVICE, signal: new AbortController().signal, observe })

/** Searches, and then spends `following` rows. */
async function courseOf(text: string, following = 0): Promise<Course> {
  ;[scans, reports, rows] = [0, 0, 0]
  const found = await searching(asking(), { query: parseQuery(text) }, async (tx, permitted, observed) => {
    const ids = await search(tx, permitted, observed)
    tx.spend(following)
    return ids.size
  })
  return { found, scans, rows, reports }
}

const each = (count: number): string =>
  Array.from({ length: count }, (_, i) => `alice/all = "v${String(i).padStart(5, '0')}"`).join(' or ')

test.each<[query: string, found: number]>([
  [`service/id = "${OBJECT}"`, 1],
  ['has alice/one', 1],
  ['alice/all = "v00042"', 1],
  ['alice/all = "absent"', 0],
  ['alice/all < "v02000"', 2000],
  ['alice/all matches "v00042"', 1],
  ['alice/all matches "v000*"', 100],
  ['alice/words matches "bee*"', 1],
  ['has alice/all and has alice/one', 1],
  ['alice/all < "v00100" and has alice/some', 10],
  ['alice/all < "v00100" except has alice/some', 90],
  ['alice/all < "v00100" and (has alice/one or alice/some matches "v00050")', 1],
  ['alice/all = "v00001" or alice/some = "v00010"', 2],
  [each(20), 20],
])('the short view answers %s', async (query, found) => {
  expect(await courseOf(query)).toMatchObject({ found, scans: 0, reports: 1 })
})

test('a condition that is the whole query is not counted first', async () => {
  // The row of the tag, and those of the ids.
  for (const query of ['alice/all < "v00100"', 'alice/all matches "v000*"'])
    expect(await courseOf(query)).toMatchObject({ found: 100, rows: 101 })
})

test.each<[query: string, found: number]>([
  ['has alice/all', 100_001],
  ['has alice/some', 10_001],
  ['has alice/all and has alice/some', 10_001],
  ['alice/all < "v02001"', 2001],
  ['alice/all != "v00001"', 100_000],
  ['alice/all = "v00001" or alice/all > "v99990"', 11],
  ['alice/all < "v50000" and alice/some > "v49000"', 99],
  ['alice/all matches "v0*"', 10_000],
  ['alice/many matches "bee*"', 1],
  ['alice/all matches ""', 100_001],
  ['alice/all matches "v00042 v00043"', 0],
  [each(26), 26],
])('the long view answers %s, and the short one has read little', async (query, found) => {
  const course = await courseOf(query)
  expect(course).toMatchObject({ found, scans: 1, reports: 1 })
  expect(course.rows).toBeLessThanOrEqual(2010)
})

test('the long view answers if what is to follow is much', async () => {
  const query = 'alice/all > "v99997"'
  expect(await courseOf(query, SHORT_VIEW_ROWS)).toMatchObject({ found: 3, scans: 1, reports: 1 })
})

/** How many objects a page of ten shows, and the course of finding it. */
async function pageOf(text: string, sort: string, count?: Counting): Promise<Course> {
  ;[scans, reports, rows] = [0, 0, 0]
  const path = sort.replace('-', '')
  const wanted = { query: parseQuery(text), also: [path] }
  const found = await searching(asking(), wanted, async (tx, permitted, observed) => {
    const tag = path === 'service/id' ? undefined : tagAt(permitted.tags, path)
    const order = { tag, descending: sort.startsWith('-') }
    const page = await findPage(tx, permitted, { order, after: undefined, limit: 10, count }, observed)
    return page.positions.length
  })
  return { found, scans, rows, reports }
}

test.each<[query: string, sort: string, shown: number]>([
  ['has alice/all', 'service/id', 10],
  ['has alice/all', '-service/id', 10],
  ['has alice/all', '-alice/all', 10],
  ['has alice/all and has alice/some', 'alice/all', 10],
  ['has alice/some', 'alice/all', 10],
  ['alice/all > "v00500"', 'alice/all', 10],
  ['alice/all < "v00042"', '-alice/some', 10],
  ['alice/all = "v00042"', 'alice/one', 1],
  ['has alice/one', 'alice/all', 1],
  ['has alice/all and has alice/some and has alice/one and alice/all = "v00042"', 'service/id', 0],
])('the short view finds the page of %s by %s', async (query, sort, shown) => {
  const page = await pageOf(query, sort)
  expect(page).toMatchObject({ found: shown, scans: 0, reports: 1 })
  expect(page.rows).toBeLessThanOrEqual(2000)
})

test.each<[query: string, sort: string]>([
  ['has alice/all', 'alice/one'],
  ['has alice/all except has alice/some', 'alice/some'],
  ['alice/all > "v50000" and alice/some < "v49000"', 'alice/all'],
  ['alice/all matches "v00042 v00043"', 'service/id'],
])(
  'the long view has to find the page of %s by %s, and the short one has read little',
  async (query, sort) => {
    const page = await pageOf(query, sort)
    expect(page).toMatchObject({ scans: 1, reports: 1 })
    expect(page.rows).toBeLessThanOrEqual(6000)
  },
)

test.each<[query: string]>([
  ['has alice/all and alice/some != "v00010"'],
  ['alice/all != "v00001" and has alice/one'],
  ['alice/all matches ""'],
])('the long view counts what matches %s, however far that is', async (query) => {
  const page = await pageOf(query, 'service/id', { upTo: 10 })
  expect(page).toMatchObject({ scans: 1, reports: 1 })
  expect(page.rows).toBeLessThanOrEqual(2010)
})

test('the short view counts what matches few values', async () => {
  expect(await pageOf('has alice/one', 'service/id', 'exact')).toMatchObject({
    found: 1,
    scans: 0,
    reports: 1,
  })
})

test('the long view looks for the newest values of a user with many', async () => {
  ;[scans, rows] = [0, 0]
  const values = await recentValues({ ...asking(), limit: 10 }, async (tx) => {
    const alice = await tx.one<{ id: number }>(sql`SELECT id FROM users WHERE username = ${'alice'}`)
    return { users: [alice?.id ?? 0] }
  })
  expect([values.length, scans]).toEqual([10, 1])
  expect(rows).toBeLessThanOrEqual(10)
})

test('a search that the long view could not even begin is not reported', async () => {
  reports = 0
  const gone = new AbortController()
  gone.abort()
  const searched = searching(
    { ...asking(), signal: gone.signal },
    { query: parseQuery('alice/all > "v99997"') },
    async (tx, permitted, observed) => {
      await search(tx, permitted, observed)
      tx.spend(SHORT_VIEW_ROWS)
    },
  )
  await expect(searched).rejects.toMatchObject({ name: 'AbortError' })
  expect(reports).toBe(0)
})
