/** Many requests at the same moment: one of them wins, none fails with a 500, nothing is left half done. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sql } from '../../src/data/database/connection/sql.ts'
import { PASSWORD, startService, type Answer, type Options, type Service } from '../support/service.ts'
import { stringOf, listOf, type Value } from '../search/model.ts'
import { impliedRows, storedRows } from '../search/stored-rows.ts'
import { ModelledService } from '../search/modelled-service.ts'
import { numberOf, orphans } from './open.ts'

let service: Service
let round = 0
/** A name that no other test uses. */
let name = ''

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())
beforeEach(() => {
  name = `race-${String(round++)}`
})

const json = (name: string) => ({ name, description: '', indexed: true })
const as = 'alice'

/** Sends requests all at once. */
const atOnce = <T>(count: number, send: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => send(i)))

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort()

const oneWinner = (count: number, won: number, lost: number): number[] => [
  won,
  ...Array<number>(count - 1).fill(lost),
]

const idOf = (answer: Answer): string => (answer.json() as { id: string }).id

describe('simultaneous creation', () => {
  test('of one namespace below missing ones', async () => {
    const path = `/namespaces/alice/${name}/and/more`
    const answers = await atOnce(20, () =>
      service.request('POST', path, { as, json: { name: 'x', description: '' } }),
    )
    expect(statuses(answers)).toEqual(oneWinner(20, 201, 412))
    expect(
      answers.map(({ error }) => error).filter((error) => error === 'TNamespaceAlreadyExists'),
    ).toHaveLength(19)
    const children = await service.ok('GET', `/namespaces/alice/${name}/and/more`, {
      as,
      query: { returnNamespaces: 'true' },
    })
    expect(children.json()).toMatchObject({ namespaceNames: ['x'] })
  })

  test('of one tag has one winner', async () => {
    const answers = await atOnce(20, () =>
      service.request('POST', `/tags/alice/${name}`, { as, json: json('x') }),
    )
    expect(statuses(answers)).toEqual(oneWinner(20, 201, 412))
    const winner = answers.find(({ status }) => status === 201)
    expect(idOf(await service.ok('GET', `/tags/alice/${name}/x`))).toBe(
      winner === undefined ? '' : idOf(winner),
    )
  })

  test('of various things below the same missing namespaces', async () => {
    const below = `alice/${name}/a/b/c`
    const ways: ((i: string) => [string, string, Options])[] = [
      (i) => ['POST', `/namespaces/${below}`, { json: { name: `n${i}`, description: '' } }],
      (i) => ['POST', `/tags/${below}`, { json: json(`t${i}`) }],
      (i) => ['PUT', `/about/${name}/${below}/v${i}`, { primitive: i }],
      (i) => [
        'PUT',
        '/values',
        { json: { queries: [[`service/about = "${name}"`, { [`${below}/w${i}`]: { value: 1 } }]] } },
      ],
    ]
    const answers = await atOnce(24, (i) => {
      const [method, path, options] = (ways[i % 4] as (typeof ways)[0])(String(i))
      return service.request(method, path, { as, ...options })
    })
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 24 }, (_, i) => (i % 4 < 2 ? 201 : 204)),
    )
    const listed = await service.ok('GET', `/namespaces/${below}`, {
      as,
      query: { returnNamespaces: 'true', returnTags: 'true' },
    })
    const { namespaceNames, tagNames } = listed.json() as { namespaceNames: string[]; tagNames: string[] }
    expect([namespaceNames.length, tagNames.length]).toEqual([6, 18])
    const { tagPaths } = (await service.ok('GET', `/about/${name}`)).json() as { tagPaths: string[] }
    expect(tagPaths).toHaveLength(13)
  })

  test('of the object with one about value', async () => {
    const answers = await atOnce(30, (i) =>
      i % 2 === 0
        ? service.ok('POST', `/about/${name}`, { as })
        : service.ok('POST', '/objects', { as, json: { about: name } }),
    )
    expect(new Set(answers.map(idOf)).size).toBe(1)
    expect((await service.ok('GET', `/about/${name}`)).json()).toMatchObject({ tagPaths: ['service/about'] })
    const query = `service/about = "${name}"`
    expect((await service.ok('GET', '/objects', { query: { query } })).json()).toEqual({
      ids: [idOf(answers[0] as Answer)],
    })
  })

  test('of objects with the same about values, in different orders', async () => {
    const abouts = Array.from({ length: 60 }, (_, i) => `${name} ${String(i)}`)
    await atOnce(8, async (i) => {
      const order = i % 2 === 0 ? abouts : abouts.toReversed()
      const queries = order.map((about) => [
        `service/about = "${about}"`,
        { [`alice/${name}`]: { value: i } },
      ])
      expect((await service.request('PUT', '/values', { as, json: { queries } })).status).toBe(204)
    })
    const found = await service.ok('GET', '/objects', { query: { query: `service/about matches "${name}"` } })
    const { ids } = found.json() as { ids: string[] }
    // The about value of the tag's own object holds its path, and so the same words.
    expect(ids).toHaveLength(61)
  })

  test('of one user has one winner', async () => {
    const answers = await atOnce(8, () =>
      service.request('POST', '/users', { as: 'service', json: { username: name, password: PASSWORD } }),
    )
    expect(statuses(answers)).toEqual(oneWinner(8, 201, 412))
    expect((await service.ok('GET', `/namespaces/${name}`, { as: name })).status).toBe(200)
  })
})

/** Checks that the tables hold exactly the rows implied by the values that the service returns for these tags. */
async function checkTables(paths: readonly string[]): Promise<void> {
  const modelled = new ModelledService(service)
  for (const path of paths) {
    modelled.model.set(path, new Map())
    modelled.indexed.add(path)
    const found = await service.ok('GET', '/values', { as, query: { query: `has ${path}`, tag: path } })
    const { results } = found.json() as {
      results: { id: Record<string, Record<string, { value: string | string[] }>> }
    }
    for (const [object, tags] of Object.entries(results.id)) {
      const value = tags[path]?.value ?? ''
      const kept: Value = typeof value === 'string' ? stringOf(value) : listOf(value)
      modelled.model.get(path)?.set(object, kept)
    }
  }
  const mine = (lines: readonly string[]) => lines.filter((line) => paths.includes(line.split(' ')[0] ?? ''))
  const [stored, implied] = [await storedRows(service.store), impliedRows(modelled)]
  expect({
    stray: stored.stray,
    values: mine(stored.values),
    parts: mine(stored.parts),
    terms: mine(stored.terms),
  }).toEqual({ stray: 0, ...implied })
}

describe('simultaneous writes', () => {
  const text = (i: number): string => `words ${String(i)} of ${'many '.repeat(i * 7)}${String(i % 3)}`

  test('of one value leave exactly the words of the value that is kept', async () => {
    const path = `alice/${name}`
    const answers = await atOnce(60, (i) => {
      if (i % 10 === 9) return service.request('DELETE', `/about/${name}/${path}`, { as })
      const primitive = JSON.stringify(i % 2 === 0 ? text(i) : [text(i), String(i)])
      return service.request('PUT', `/about/${name}/${path}`, { as, primitive })
    })
    // A deletion may come before the first write.
    expect(statuses(answers).filter((status) => status !== 204 && status !== 404)).toEqual([])
    await checkTables([path])
  })

  test('to overlapping objects by PUT /values do not deadlock, and each object has the values of one writer', async () => {
    const paths = [`alice/${name}-a`, `alice/${name}-b`]
    const objects = Array.from(
      { length: 40 },
      (_, i) => `${i.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    )
    const answers = await atOnce(20, (i) => {
      const mine = objects.filter((_, at) => (at * 7 + i) % 3 > 0)
      const order = i % 2 === 0 ? mine : mine.toReversed()
      const tags = i % 4 < 2 ? paths : paths.toReversed()
      const values = Object.fromEntries(tags.map((path) => [path, { value: text(i) }]))
      const queries = order.map((object) => [`service/id = "${object}"`, values])
      return service.request('PUT', '/values', { as, json: { queries } })
    })
    expect(statuses(answers)).toEqual(Array<number>(20).fill(204))
    await checkTables(paths)
    const found = await service.ok('GET', '/values', {
      as,
      query: { query: `has ${paths[0] ?? ''}`, tag: paths },
    })
    const { results } = found.json() as { results: { id: Record<string, Record<string, { value: string }>> } }
    const pairs = Object.values(results.id).map((tags) => paths.map((path) => tags[path]?.value))
    expect(pairs).toHaveLength(40)
    for (const [a, b] of pairs) expect(a).toBe(b)
  })

  test('and deletions of overlapping objects by query leave consistent tables', async () => {
    const path = `alice/${name}`
    await atOnce(30, (i) =>
      service.ok('PUT', `/about/${name}-${String(i)}/${path}`, { as, primitive: JSON.stringify(text(i)) }),
    )
    const answers = await atOnce(20, (i) => {
      if (i % 2 === 0) {
        const queries = [[`has ${path}`, { [path]: { value: text(i) } }]]
        return service.request('PUT', '/values', { as, json: { queries } })
      }
      const query = `${path} matches "words ${String(i)}"`
      return service.request('DELETE', '/values', { as, query: { query, tag: path } })
    })
    expect(statuses(answers)).toEqual(Array<number>(20).fill(204))
    await checkTables([path])
  })

  test('to a tag that is deleted and created again leave no rows without a tag', async () => {
    const path = `alice/${name}`
    const answers = await atOnce(60, (i) => {
      if (i % 6 === 5) return service.request('DELETE', `/tags/${path}`, { as })
      return service.request('PUT', `/about/${name}/${path}`, { as, primitive: JSON.stringify(text(i)) })
    })
    expect(statuses(answers).filter((status) => status !== 204 && status !== 404)).toEqual([])
    expect((await storedRows(service.store)).stray).toBe(0)
    await service.ok('PUT', `/about/${name}/${path}`, { as, primitive: '"the last"' })
    await checkTables([path])
  })
})

describe('simultaneous deletion', () => {
  test('of an empty namespace while something is created in it leaves no orphan', async () => {
    for (let i = 0; i < 15; i++) {
      const parent = `alice/${name}-${String(i)}`
      await service.ok('POST', '/namespaces/alice', {
        as,
        json: { name: `${name}-${String(i)}`, description: '' },
      })
      const [deletion, ...creations] = await Promise.all([
        service.request('DELETE', `/namespaces/${parent}`, { as }),
        service.request('POST', `/tags/${parent}`, { as, json: json('tag') }),
        service.request('POST', `/namespaces/${parent}`, { as, json: { name: 'child', description: '' } }),
        service.request('PUT', `/about/${name}/${parent}/deep/value`, { as, primitive: '1' }),
      ])
      // A creation after the deletion creates the namespace again.
      expect(statuses(creations)).toEqual([201, 201, 204])
      expect([204, 412]).toContain(deletion.status)
      expect(await orphans(service.store)).toBe(0)
      for (const path of ['tag', 'deep/value'])
        expect((await service.request('GET', `/tags/${parent}/${path}`)).status).toBe(200)
      const listed = await service.ok('GET', `/namespaces/${parent}`, {
        as,
        query: { returnNamespaces: 'true' },
      })
      expect(listed.json()).toMatchObject({ namespaceNames: ['child', 'deep'] })
    }
  })

  test('of one namespace or tag by many succeeds for one of them', async () => {
    await service.ok('POST', '/namespaces/alice', { as, json: { name, description: '' } })
    const ofNamespace = await atOnce(12, () => service.request('DELETE', `/namespaces/alice/${name}`, { as }))
    expect(statuses(ofNamespace)).toEqual(oneWinner(12, 204, 404))
    await service.ok('POST', '/tags/alice', { as, json: json(name) })
    const ofTag = await atOnce(12, () => service.request('DELETE', `/tags/alice/${name}`, { as }))
    expect(statuses(ofTag)).toEqual(oneWinner(12, 204, 404))
  })

  test('of a user while something is created in their namespace leaves no orphan', async () => {
    for (let i = 0; i < 6; i++) {
      const username = `${name}-${String(i)}`
      await service.ok('POST', '/users', { as: 'service', json: { username, password: PASSWORD } })
      await service.ok('GET', `/namespaces/${username}`, { as: username })
      const [deletion, creation] = await Promise.all([
        service.request('DELETE', `/users/${username}`, { as: 'service' }),
        service.request('POST', `/tags/${username}`, { as: 'service', json: json('tag') }),
      ])
      expect([
        [204, 404],
        [412, 201],
      ]).toContainEqual([deletion.status, creation.status])
      expect(await orphans(service.store)).toBe(0)
    }
  })

  test('of a user while they are added to exceptions lists leaves them in none', async () => {
    await service.ok('PUT', `/about/x/alice/${name}`, { as, primitive: '1' })
    for (let i = 0; i < 6; i++) {
      const username = `${name}-${String(i)}`
      await service.ok('POST', '/users', { as: 'service', json: { username, password: PASSWORD } })
      const [deletion, listing] = await Promise.all([
        service.request('DELETE', `/users/${username}`, { as: 'service' }),
        service.request('PUT', `/permissions/tag-values/alice/${name}`, {
          as,
          query: { action: 'read' },
          json: { policy: 'open', exceptions: [username] },
        }),
      ])
      expect([deletion.status, [204, 412].includes(listing.status)]).toEqual([204, true])
      const gone = sql`SELECT count(*) AS n FROM permission_exceptions WHERE user_id NOT IN (SELECT id FROM users)`
      expect(await numberOf(service.store, gone)).toBe(0)
    }
  })
})
