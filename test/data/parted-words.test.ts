/** Migration 0004 makes the words of a store what they would be if it had been written by today's rule. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { openPool, type Pool } from '../../src/data/database/pool.ts'
import { sql } from '../../src/data/database/sql.ts'
import { migrationSource } from '../../src/data/store/migrate.ts'
import { TERMS } from '../../src/data/store/tables.ts'
import { wordTerm } from '../../src/data/database/terms.ts'
import { SERVICE } from '../../src/data/things/users.ts'
import { JOINED, wordsInPortions } from '../../src/words.ts'
import { startService, type Service } from '../support/service.ts'
import { rowsOf } from './open.ts'

const NAME = '0004-parted-words'

/** More than a portion of the migration has, of values and of octets. */
const MANY = 1_200
const LONG = `${'some words '.repeat(60_000)}, long.est and ${'a.b_'.repeat(100_000)}c of ${'long_'.repeat(30)}word`

const TEXTS: readonly unknown[] = [
  'book:Dune',
  'Dune, the book: dune book',
  'https://example.org/new_york/x.html?q=a_1&v=3.14',
  "can't stop, won't stop",
  'example of example.org of example',
  'Ünïted_Kingdom · col·lecció カ_タ a_漢',
  ['new_york', 'new york', 'e.g.', '', 'i.e. e.g.'],
  [],
  12.5,
  LONG,
  [LONG, 'book:Dune'],
  'x_'.repeat(600),
]

let service: Service
let pool: Pool

type Row = { readonly tag_id: number; readonly term: Buffer; readonly object_id: Buffer }
const keyOf = ({ tag_id: tag, term, object_id: object }: Row): Buffer =>
  Buffer.concat([Buffer.from(String(tag).padStart(8, '0')), term, Buffer.of(0), object])
/** Rows as text, because to compare octets one by one takes long. */
const lines = (rows: readonly Row[]): string[] => rows.map((row) => keyOf(row).toString('hex'))
const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => keyOf(a).compare(keyOf(b)))
const stored = async (): Promise<Row[]> =>
  inOrder(await rowsOf<Row>(service.store, sql`SELECT tag_id, term, object_id FROM terms`))

const objects = async (): Promise<string[]> =>
  (
    await rowsOf<{ object_id: Buffer }>(
      service.store,
      sql`SELECT DISTINCT object_id FROM terms ORDER BY object_id`,
    )
  ).map(({ object_id: id }) => id.toString('hex'))

/** Replaces all terms. */
const fill = (rows: readonly Row[]): Promise<void> =>
  service.store.write(SERVICE, async (tx) => {
    await tx.run(sql`DELETE FROM terms`)
    await tx.insert(TERMS, rows)
  })

/** The rows that the store would have by the older rule. */
async function rowsBefore(): Promise<Row[]> {
  const items = await rowsOf<Row>(
    service.store,
    sql`SELECT tag_id, term, object_id FROM terms WHERE term >= ${'l'} AND term < ${'m'}`,
  )
  const values = await rowsOf<Row & { content: Buffer | null; type: number }>(
    service.store,
    sql`SELECT v.tag_id, v.object_id, v.type, v.content FROM tag_values v JOIN tags t ON t.id = v.tag_id
      WHERE t.indexed = 1 AND v.type IN (4, 5)`,
  )
  const words: Row[] = []
  for (const { tag_id, object_id, content } of values) {
    const parts = await rowsOf<{ content: Buffer }>(
      service.store,
      sql`SELECT content FROM value_parts WHERE tag_id = ${tag_id} AND object_id = ${object_id} ORDER BY part`,
    )
    const json = content ?? Buffer.concat(parts.map((part) => part.content))
    const texts = [JSON.parse(json.toString()) as string | string[]].flat()
    const found = new Set(texts.flatMap((text) => [...wordsInPortions(text, undefined, JOINED)].flat()))
    for (const word of found) words.push({ tag_id, term: wordTerm(word), object_id })
  }
  return inOrder([...items, ...words])
}

/** The rows by today's rule, as the service wrote them, and by the older one. */
let [now, before]: [Row[], Row[]] = [[], []]

const find = async (query: string): Promise<number> => {
  const answer = await service.ok('GET', '/objects', { as: 'alice', query: { query } })
  return (answer.json() as { ids: string[] }).ids.length
}

beforeAll(async () => {
  service = await startService()
  for (const [name, indexed] of [
    ['text', true],
    ['plain', false],
  ]) {
    await service.ok('POST', '/tags/alice', { as: 'alice', json: { name, description: '', indexed } })
  }
  const values = TEXTS.map((value, i) => [
    `service/about = "thing:${String(i)} of book:Dune"`,
    { 'alice/text': { value }, 'alice/plain': { value } },
  ])
  const many = Array.from({ length: MANY }, (_, i) => [
    `service/about = "https://example.org/${String(i)}_${String(i)}/no${String(i)}.html"`,
    {},
  ])
  await service.ok('PUT', '/values', { as: 'alice', json: { queries: [...values, ...many] } })
  await service.ok('PUT', '/about/book:Dune/alice/text', {
    as: 'alice',
    body: 'a.b',
    headers: { 'content-type': 'text/plain' },
  })
  now = await stored()
  before = await rowsBefore()
  pool = openPool(service.databaseUrl, 'migrate')
}, 120_000)
afterAll(async () => {
  await pool.close()
  await service.stop()
})

const migrate = async (way: 'up' | 'down'): Promise<void> => {
  await pool.knex.migrate[way]({ migrationSource, name: NAME })
}

describe('a store that was written by the older rule', () => {
  beforeEach(async () => {
    await fill(before)
    await pool.knex('knex_migrations').where('name', NAME).del()
  }, 60_000)

  test('has other words', async () => {
    expect(lines(await stored())).not.toEqual(lines(now))
    expect(await find('service/about matches "dune"')).toBe(0)
  })

  test('has the words of a new one once it is migrated', async () => {
    await migrate('up')
    expect(lines(await stored())).toEqual(lines(now))
    expect(await find('service/about matches "dune"')).toBe(TEXTS.length + 1)
    expect(await find('service/about matches "example org"')).toBe(MANY)
  }, 60_000)

  test('has them, too, if an earlier migration was interrupted', async () => {
    const done = new Set((await objects()).filter((_, i) => i % 3 > 0))
    const mixed = [
      ...before.filter(({ object_id: id }) => !done.has(id.toString('hex'))),
      ...now.filter(({ object_id: id }) => done.has(id.toString('hex'))),
    ]
    await fill(mixed)
    await migrate('up')
    expect(lines(await stored())).toEqual(lines(now))
  }, 60_000)

  test('has its older words again when the migration is undone', async () => {
    await migrate('up')
    await migrate('down')
    expect(lines(await stored())).toEqual(lines(before))
  }, 60_000)
})
