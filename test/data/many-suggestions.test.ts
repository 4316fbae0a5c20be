/** Suggestions and checked queries from more than is looked at: they say so, and begin with what is likeliest. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { raw, sql, type Sql } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { startService, type Service } from '../support/service.ts'

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
const OBJECTS = ['a', 'b', 'c', 'd'].map((last) => `0197a3c0-5a5a-7000-8000-00000000000${last}`)

let service: Service

interface Suggested {
  readonly suggestions: readonly { path?: string; value?: string; count: number; exact: boolean }[]
  readonly complete: boolean
}

const suggested = async (as: string, query: Readonly<Record<string, string>>): Promise<Suggested> =>
  (await service.ok('GET', '/search/suggest', { as, query })).json() as Suggested

/** 100,000 tags in bob/many, 100,000 different values of one tag, and three frequent ones of another. */
async function multiply(): Promise<void> {
  await service.store.write(SERVICE, async (tx) => {
    const bytes = raw(tx.dialect.name === 'sqlite' ? 'BLOB' : 'BINARY')
    const object = (start: Sql): Sql => sql`CAST(concat(${start}, ${NUMBER}) AS ${bytes})`
    await tx.run(sql`
      INSERT INTO tags (id, path, namespace_id, name, object_id, indexed, open_actions, value_bound)
      SELECT 1000000 + ${NUMBER}, CAST(concat('bob/many/', ${NUMBER}) AS ${bytes}), t.namespace_id,
        CAST(${NUMBER} AS ${bytes}), ${object(raw(`'many-tags--'`))}, t.indexed, t.open_actions, 0
      FROM (SELECT * FROM tags WHERE path = ${'bob/many/first'}) t CROSS JOIN ${DIGITS}`)
    const columns = raw('tag_id, object_id, type, sort_key, content, size, content_type, updated_at, user_id')
    const rest = raw('v.size, v.content_type, v.updated_at, v.user_id')
    const valuesOf = (path: string): Sql =>
      sql`(SELECT v.* FROM tag_values v JOIN tags t ON t.id = v.tag_id WHERE t.path = ${path}) v`
    await tx.run(sql`
      INSERT INTO tag_values (${columns})
      SELECT v.tag_id, ${object(raw(`'different--'`))}, v.type, CAST(concat(char(4), 'v', ${NUMBER}) AS ${bytes}),
        CAST(concat('"v', ${NUMBER}, '"') AS ${bytes}), ${rest}
      FROM ${valuesOf('alice/different')} CROSS JOIN ${DIGITS} ORDER BY 2`)
    // Of "b" 20,000, of "cc" 30,000, of "ddd" 10,000.
    await tx.run(sql`
      INSERT INTO tag_values (${columns})
      SELECT v.tag_id, ${object(sql`concat('frequent--', v.size)`)}, v.type, v.sort_key, v.content, ${rest}
      FROM ${valuesOf('alice/frequent')} CROSS JOIN ${DIGITS}
      WHERE a.d < CASE v.size WHEN 3 THEN 2 WHEN 4 THEN 3 WHEN 5 THEN 1 ELSE 0 END ORDER BY 2`)
    for (const path of ['alice/different', 'alice/frequent']) {
      const tag = await tx.one<{ id: number }>(sql`SELECT id FROM tags WHERE path = ${path}`)
      tx.noteValues(tag?.id ?? 0, 100_000)
    }
  })
}

beforeAll(async () => {
  service = await startService()
  const values = ['"b"', '"cc"', '"ddd"', '"eeee"']
  for (const [i, primitive] of values.entries()) {
    await service.ok('PUT', `/objects/${OBJECTS[i] ?? ''}/alice/frequent`, { as: 'alice', primitive })
  }
  await service.ok('PUT', `/objects/${OBJECTS[0] ?? ''}/alice/different`, { as: 'alice', primitive: '"v"' })
  for (const [as, path] of [
    ['bob', 'bob/many/first'],
    ['carol', 'carol/x/last'],
    ['carol', 'carol/first'],
  ] as const) {
    await service.ok('PUT', `/objects/${OBJECTS[0] ?? ''}/${path}`, { as, primitive: '1' })
  }
  await multiply()
}, 300_000)
afterAll(() => service.stop())

const paths = ({ suggestions }: Suggested): unknown[] => suggestions.map(({ path }) => path)

test('paths beyond those that are looked at are found by their beginning, and by their owner', async () => {
  expect(await suggested('alice', { text: 'last' })).toEqual({ suggestions: [], complete: false })
  expect(paths(await suggested('alice', { text: 'carol/x' }))).toEqual(['carol/x', 'carol/x/last'])
  expect(paths(await suggested('carol', { text: 'LAST' }))).toEqual(['carol/x/last'])
  expect(paths(await suggested('alice', { text: 'bob/many/09999' }))).toEqual(['bob/many/09999'])
  expect(paths(await suggested('alice', { text: 'Bob/many/99999' }))).toEqual(['bob/many/99999'])
})

test('a namespace with very much in it is counted up to 1,000', async () => {
  const { suggestions } = await suggested('alice', { text: 'bob/many', limit: '1' })
  expect(suggestions).toEqual([{ kind: 'namespace', path: 'bob/many', count: 1000, exact: false }])
})

test('a tag with very many values shows a number that they do not exceed', async () => {
  const { suggestions } = await suggested('alice', { text: 'alice/different' })
  expect(suggestions).toHaveLength(1)
  expect(suggestions[0]?.exact).toBe(false)
  expect(suggestions[0]?.count).toBeGreaterThanOrEqual(100_001)
})

test('of very many different values the first ones are looked at, and a beginning finds the others', async () => {
  const { suggestions, complete } = await suggested('alice', { tag: 'alice/different', limit: '2' })
  expect([suggestions.map(({ value }) => value), complete]).toEqual([['v', 'v00000'], false])
  const narrow = await suggested('alice', { tag: 'alice/different', text: 'v9999' })
  expect(narrow).toEqual({
    suggestions: Array.from({ length: 10 }, (_, i) => ({
      kind: 'value',
      value: `v9999${String(i)}`,
      count: 1,
      exact: true,
    })),
    complete: true,
  })
})

test('frequent values are told apart, and do not hide those behind them', async () => {
  const { suggestions, complete } = await suggested('alice', { tag: 'alice/frequent' })
  expect(suggestions.map(({ value, count, exact }) => [value, count, exact])).toEqual([
    ['cc', 30_001, true],
    ['b', 20_001, true],
    ['ddd', 10_001, true],
    ['eeee', 1, true],
  ])
  expect(complete).toBe(true)
})

interface Checked {
  readonly nodes: readonly { count?: number; exact?: boolean }[]
}

const numbersOf = async (
  query: string,
  countUpTo = 10_000,
): Promise<(readonly [number | undefined, boolean | undefined])[]> => {
  const answer = await service.ok('POST', '/search/check', { as: 'alice', json: { query, countUpTo } })
  return (answer.json() as Checked).nodes.map(({ count, exact }) => [count, exact] as const)
}

test('conditions are counted up to a bound, and narrowed down by those that few objects meet', async () => {
  expect(await numbersOf('has alice/different')).toEqual([[10_000, false]])
  expect(await numbersOf('alice/different != "v00000"')).toEqual([[10_000, false]])
  expect(await numbersOf('has alice/different', 200_000)).toEqual([[100_001, true]])
  expect(await numbersOf('has alice/different and alice/different < "v00020"')).toEqual([
    [21, true],
    [10_000, false],
    [21, true],
  ])
})

test('words in a row are counted where one of them is rare, and strings that are too long to compare are not', async () => {
  expect(await numbersOf('alice/different matches "no such words"')).toEqual([[0, true]])
  expect(await numbersOf(`alice/different > "${'v'.repeat(25)}"`)).toEqual([[undefined, undefined]])
})

test('all parts together are counted up to a bound, the first ones first', async () => {
  const found = await numbersOf(Array.from({ length: 20 }, () => 'has alice/different').join(' or '), 100_000)
  const conditions = [...found.slice(19).entries()].filter(([, [count]]) => count === undefined)
  expect(found.slice(19)[0]).toEqual([100_000, false])
  expect(conditions.map(([at]) => at)).toEqual(Array.from({ length: 10 }, (_, i) => 10 + i))
})
