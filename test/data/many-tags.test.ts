/** Many tags in one request take few statements, and become what they would have become one by one. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { Connection } from '../../src/data/database/connection/connection.ts'
import { startService, type Service } from '../support/service.ts'

const TAGS = 600

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** How many statements a request of alice takes. */
async function statements(method: string, path: string, options: object): Promise<number> {
  const spies = (['all', 'run', 'insert'] as const).map((name) => jest.spyOn(Connection.prototype, name))
  await service.ok(method, path, { as: 'alice', ...options })
  const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return count
}

const put = (query: string, path: (i: number) => string, value: (i: number) => unknown): Promise<number> => {
  const values = Array.from({ length: TAGS }, (_, i) => [path(i), { value: value(i) }])
  return statements('PUT', '/values', { json: { queries: [[query, Object.fromEntries(values)]] } })
}

const valueOf = async (path: string): Promise<unknown> => {
  const answer = await service.request('GET', `/about/one/${path}`, { as: 'alice' })
  return answer.status === 200 ? answer.json() : answer.error
}

test('new tags and namespaces, new values, other values, and none', async () => {
  await service.ok('PUT', '/permissions/namespaces/alice', {
    as: 'alice',
    query: { action: 'list' },
    json: { policy: 'closed', exceptions: ['alice', 'carol'] },
  })
  const path = (i: number): string => `alice/n${String(i % 150)}/deep/t${String(i)}`
  expect(await put('service/about = "one"', path, (i) => `word${String(i)}`)).toBeLessThan(TAGS / 2)
  for (const i of [0, 149, 150, TAGS - 1]) expect(await valueOf(path(i))).toBe(`word${String(i)}`)
  const tag = (await service.ok('GET', `/tags/${path(527)}?returnDescription=true`)).json()
  expect(tag).toMatchObject({ description: `Object for the attribute ${path(527)}`, indexed: true })
  for (const [category, action] of [
    ['namespaces', 'list'],
    ['tag-values', 'read'],
  ] as const) {
    const at = category === 'namespaces' ? 'alice/n77/deep' : path(527)
    const policy = await service.ok('GET', `/permissions/${category}/${at}`, {
      as: 'alice',
      query: { action },
    })
    expect(policy.json()).toEqual({ policy: 'closed', exceptions: ['alice', 'carol'] })
  }
  const found = async (query: string): Promise<number> =>
    ((await service.ok('GET', '/objects', { as: 'alice', query: { query } })).json() as { ids: [] }).ids
      .length
  expect(await found(`${path(5)} matches "word5"`)).toBe(1)
  expect(await put('service/about = "one"', path, (i) => (i % 2 === 0 ? i : ['a', 'b']))).toBeLessThan(
    TAGS / 2,
  )
  expect([await valueOf(path(4)), await valueOf(path(5))]).toEqual([4, ['a', 'b']])
  expect([await found(`${path(5)} matches "word5"`), await found(`${path(5)} contains "b"`)]).toEqual([0, 1])
  expect(await put(`has ${path(0)}`, path, () => true)).toBeLessThan(TAGS / 2)
  expect([await valueOf(path(4)), await found(`${path(5)} contains "b"`)]).toEqual([true, 0])
  const gone = await statements('DELETE', '/values', { query: { query: `has ${path(0)}`, tag: '*' } })
  expect(gone).toBeLessThan(TAGS / 2)
  for (const i of [0, 4, TAGS - 1]) expect(await valueOf(path(i))).toBe('TNoInstanceOnObject')
  expect(await valueOf('service/about')).toBe('one')
})

test('objects that are there already become those of new tags and namespaces', async () => {
  const [tag, namespace] = ['alice/known/t7', 'alice/known']
  const made = async (about: string): Promise<string> =>
    ((await service.ok('POST', '/objects', { as: 'alice', json: { about } })).json() as { id: string }).id
  const objects = [
    await made(`Object for the attribute ${tag}`),
    await made(`Object for the namespace ${namespace}`),
  ]
  await put(
    'service/about = "one"',
    (i) => `alice/known/t${String(i)}`,
    () => 1,
  )
  const found = async (query: string): Promise<unknown> =>
    ((await service.ok('GET', '/objects', { as: 'alice', query: { query } })).json() as { ids: unknown }).ids
  expect(await found(`service/tags/path = "${tag}"`)).toEqual([objects[0]])
  expect(await found(`service/tags/description matches "known t7"`)).toEqual([objects[0]])
  expect(await found(`service/namespaces/path = "${namespace}"`)).toEqual([objects[1]])
  expect((await service.ok('GET', `/tags/${tag}`)).json()).toMatchObject({ id: objects[0] })
})

test('a refused tag refuses all, and names the first', async () => {
  const values = Object.fromEntries(
    ['alice/good/x', 'bob/first', 'bob/second', 'alice/b@d'].map((path) => [path, { value: 1 }]),
  )
  const answer = await service.request('PUT', '/values', {
    as: 'alice',
    json: { queries: [['service/about = "one"', values]] },
  })
  expect([answer.error, answer.headers['x-service-path']]).toEqual(['TPathPermissionDenied', 'bob'])
  expect((await service.request('GET', '/tags/alice/good/x')).error).toBe('TNonexistentTag')
})
