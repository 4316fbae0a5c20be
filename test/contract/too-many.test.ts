/** The limit of 1,000,000 objects: that many are returned, one more is a 413 that names the operand. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { raw, sql, type Sql } from '../../src/data/database/connection/sql.ts'
import type { FinishedSearch } from '../../src/data/search/search.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { startService, type Answer, type Service } from '../support/service.ts'
import { QUERYING } from './querying.ts'

/** An object among the million, the last one added to them, and one outside. */
const FIRST = '0197a3c0-5a5a-7000-8000-00000000000a'
const LAST = '0197a3c0-5a5a-7000-8000-00000000000b'
const OTHER = '0197a3c0-5a5a-7000-8000-00000000000c'

const MANY = 'has alice/many'
const is = (id: string): string => `service/id = "${id}"`

/** 0 to 999,999, as six columns of digits. */
const DIGITS: Sql = raw(
  ['a', 'b', 'c', 'd', 'e', 'f']
    .map(
      (name) =>
        `(SELECT 0 AS d ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((d) => `UNION ALL SELECT ${String(d)}`).join(' ')}) ${name}`,
    )
    .join(' CROSS JOIN '),
)

/** Copies the one value of `alice/many` to 999,998 other objects, by SQL, because HTTP would take too long. */
async function multiply({ store }: Service): Promise<void> {
  await store.write(SERVICE, async (tx) => {
    const bytes = raw(tx.dialect.name === 'sqlite' ? 'BLOB' : 'BINARY')
    // Inserting in key order is four times as fast on MariaDB.
    await tx.run(sql`
      INSERT INTO tag_values
        (tag_id, object_id, type, sort_key, content, size, content_type, updated_at, user_id)
      SELECT v.tag_id, CAST(concat('many------', a.d, b.d, c.d, d.d, e.d, f.d) AS ${bytes}),
        v.type, v.sort_key, v.content, v.size, v.content_type, v.updated_at, v.user_id
      FROM (SELECT v.* FROM tag_values v JOIN tags t ON t.id = v.tag_id WHERE t.path = ${'alice/many'}) v
      CROSS JOIN ${DIGITS}
      WHERE NOT (a.d = 9 AND b.d = 9 AND c.d = 9 AND d.d = 9 AND e.d = 9 AND f.d >= 8)
      ORDER BY 2`)
    const tag = await tx.one<{ id: number }>(sql`SELECT id FROM tags WHERE path = ${'alice/many'}`)
    tx.noteValues(tag?.id ?? 0, 999_998)
  })
}

/** The answers that clients get who read one after the other. */
async function readSlowly(url: string): Promise<Buffer[]> {
  const { hostname, port } = new URL(url)
  const slow = await Promise.all(
    [1, 2, 3].map(async () => {
      const socket = connect(Number(port), hostname)
      socket.write('GET /objects?query=has+alice/many HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      await once(socket, 'readable')
      return socket
    }),
  )
  const answers: Buffer[] = []
  for (const socket of slow) {
    const pieces: Buffer[] = []
    for await (const piece of socket) pieces.push(piece as Buffer)
    answers.push(Buffer.concat(pieces))
  }
  return answers
}

interface Page {
  readonly count?: number
  readonly exact?: boolean
  readonly results: readonly { readonly id: string }[]
  readonly next?: string
}

interface Row {
  readonly query: string
  /** The operand that the error names. */
  readonly names: string
}

const pageOf = async (service: Service, query: Readonly<Record<string, string>>): Promise<Page> =>
  (await service.ok('GET', '/search', { as: 'alice', query })).json() as Page

type AskPage = (query: Readonly<Record<string, string>>) => Promise<Page>

/** What GET /search shows of a million matches. */
function testPages(page: AskPage, planOf: () => string | undefined): void {
  test('GET /search walks to a page, and counts them all', async () => {
    const found = await page({ count: 'exact' })
    expect([found.count, found.exact, found.results.map(({ id }) => id)]).toEqual([
      1_000_000,
      true,
      [FIRST, LAST],
    ])
    expect(planOf()).toBe('walk by ids\n  has alice/many')
    const { results, next = '' } = await page({ sort: '-alice/many', tag: 'alice/few' })
    expect(planOf()).toBe('walk by alice/many\n  has alice/many')
    const following = await page({ sort: '-alice/many', tag: 'alice/few', cursor: next })
    const ids = [...results, ...following.results].map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(new Set(ids).size).toBe(4)
  })

  test('GET /search shows those without a value of the tag behind the others', async () => {
    const ids = (await page({ sort: 'alice/few', count: 'upto:10' })).results.map(({ id }) => id)
    expect(ids).toEqual([FIRST, LAST])
  })
}

describe('a tag on very many objects', () => {
  let service: Service
  let last: { readonly search: FinishedSearch; readonly requestId: string } | undefined
  const find = (query: string): Promise<Answer> =>
    service.request('GET', '/objects', { as: 'alice', query: { query } })
  const page: AskPage = (query) => pageOf(service, { query: MANY, limit: '2', ...query })
  const fact = ({ status, error, headers }: Answer): unknown[] => [status, error, headers['x-service-query']]

  beforeAll(async () => {
    const observe = (search: FinishedSearch, requestId: string): void => void (last = { search, requestId })
    service = await startService({}, { observe })
    const as = 'alice'
    await service.ok('PUT', `/objects/${FIRST}/alice/many`, { as, primitive: '1' })
    await multiply(service)
    await service.ok('PUT', `/objects/${FIRST}/alice/few`, { as, primitive: '1' })
  }, 300_000)
  afterAll(() => service.stop())

  describe('on 1,000,000', () => {
    beforeAll(async () => {
      await service.ok('PUT', `/objects/${LAST}/alice/many`, { as: 'alice', primitive: '1' })
    })

    test('GET /objects returns them all, sorted', async () => {
      const { ids } = (await find(MANY)).json() as { ids: string[] }
      expect(ids).toHaveLength(1_000_000)
      expect(ids.slice(0, 2)).toEqual([FIRST, LAST])
      expect(ids.every((id, i) => i === 0 || (ids[i - 1] ?? '') < id)).toBe(true)
    })

    test('slow readers each get the same complete answer', async () => {
      const { body } = await find(MANY)
      for (const answer of await readSlowly(service.url)) {
        expect(answer.subarray(answer.indexOf('\r\n\r\n') + 4).equals(body)).toBe(true)
      }
    })

    test('an or that adds no object is within the limit', async () => {
      expect(
        (await service.request('HEAD', '/objects', { query: { query: `${MANY} or ${is(LAST)}` } })).status,
      ).toBe(200)
    })

    test('an or that adds one object is above it, and the error names the whole or', async () => {
      const union = `${MANY} or ${is(OTHER)}`
      expect(fact(await find(`(${union}) and has alice/few`))).toEqual([413, 'TooManyObjects', `(${union})`])
    })

    test('an or of two tags that adds one object is above it, without fetching either operand', async () => {
      const union = `${MANY} or has alice/few`
      // The bound makes the tag seem large enough that looking for one value beyond the others pays off.
      await service.store.write(SERVICE, (tx) =>
        tx.run(sql`UPDATE tags SET value_bound = 1000 WHERE path = ${'alice/few'}`),
      )
      expect((await service.request('HEAD', '/objects', { query: { query: union } })).status).toBe(200)
      await service.ok('PUT', `/objects/${OTHER}/alice/few`, { as: 'alice', primitive: '1' })
      expect(fact(await find(union))).toEqual([413, 'TooManyObjects', union])
      const ranges = '(alice/many = 1 or alice/few >= 0)'
      expect(fact(await find(`${is(LAST)} and ${ranges}`))).toEqual([413, 'TooManyObjects', ranges])
      await service.ok('DELETE', `/objects/${OTHER}/alice/few`, { as: 'alice' })
      expect((await find(`${is(LAST)} and ${ranges}`)).json()).toEqual({ ids: [LAST] })
    })

    test('an operand that matches them all is within the limit', async () => {
      expect((await find(`${MANY} and has alice/few`)).json()).toEqual({ ids: [FIRST] })
    })

    testPages(page, () => last?.search.plan())

    test('PUT /values accepts a query that matches them all', async () => {
      const queries = [[MANY, {}]]
      expect((await service.request('PUT', '/values', { as: 'alice', json: { queries } })).status).toBe(204)
    })
  })

  describe('on 1,000,001', () => {
    beforeAll(async () => {
      await service.ok('PUT', `/objects/${OTHER}/alice/many`, { as: 'alice', primitive: '1' })
    })

    test.each<Row>([
      { query: MANY, names: MANY },
      { query: `${is(FIRST)} and (alice/many > 0.5)`, names: '(alice/many > 0.5)' },
      { query: `alice/many != "x" and ${is(FIRST)}`, names: 'alice/many != "x"' },
      { query: `has alice/few except ${MANY}`, names: MANY },
      { query: `alice/few = "nothing" and (has alice/few or ${MANY})`, names: MANY },
    ])('413 from GET /objects?query=$query', async ({ query, names }) => {
      expect(fact(await find(query))).toEqual([413, 'TooManyObjects', names])
    })

    test.each(QUERYING)('413 from %s when only an operand of and is above the limit', async (_name, ask) => {
      const [method, path, options] = ask(`${is(OTHER)} and ${MANY}`)
      expect(fact(await service.request(method, path, { as: 'alice', ...options }))).toEqual([
        413,
        'TooManyObjects',
        MANY,
      ])
    })

    test('GET /search that counts up to a number says that there are more', async () => {
      const found = await page({ count: 'upto:1000', sort: 'alice/many' })
      expect([found.count, found.exact]).toEqual([1000, false])
      const wide = await page({ query: `${MANY} or has alice/few`, count: 'upto:1000' })
      expect([wide.count, wide.exact]).toEqual([1000, false])
    })

    test('413 from PUT /values undoes earlier elements', async () => {
      const queries = [
        [is(OTHER), { 'alice/few': { value: 2 } }],
        [MANY, { 'alice/few': { value: 3 } }],
      ]
      expect((await service.request('PUT', '/values', { as: 'alice', json: { queries } })).status).toBe(413)
      const { error } = await service.request('GET', `/objects/${OTHER}/alice/few`)
      expect(error).toBe('TNoInstanceOnObject')
    })

    test('operators can find the plan of what was refused by the id of the request', async () => {
      const { headers } = await find(MANY)
      expect(last?.requestId).toBe(headers['x-service-request-id'])
      expect(last?.search).toMatchObject({ username: 'alice', query: { text: MANY }, matches: undefined })
      expect(last?.search.plan()).toMatch(
        /^fetch has alice\/many .*\n {2}prove has alice\/many <= 1,000,000$/,
      )
    })

    test('a query on the tag that matches few objects is answered', async () => {
      expect((await find('alice/many = 2')).json()).toEqual({ ids: [] })
    })
  })
})
