/** MAX_WRITE_BYTES: how many octets of values one PUT /values may write. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startService, type Answer, type Service } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ MAX_WRITE_BYTES: '10000' })
  const queries = Array.from({ length: 100 }, (_, i) => [
    `service/about = "object ${String(i)}"`,
    { 'alice/all': { value: i }, ...(i === 0 && { 'alice/text': { value: 1 } }) },
  ])
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
})
afterAll(() => service.stop())

const put = (...queries: readonly unknown[]): Promise<Answer> =>
  service.request('PUT', '/values', { as: 'alice', json: { queries } })

const text = (octets: number): { value: string } => ({ value: 'x'.repeat(octets - 2) })

const found = async (query: string): Promise<number> => {
  const answer = await service.ok('GET', '/objects', { as: 'alice', query: { query } })
  return (answer.json() as { ids: string[] }).ids.length
}

test('a value counts as often as it is written', async () => {
  expect((await put(['has alice/all', { 'alice/text': text(100) }])).status).toBe(204)
  const answer = await put(
    ['has alice/all', { 'alice/text': { value: 1 } }],
    ['alice/all < 37', { 'alice/more': text(100) }],
  )
  expect([answer.status, answer.error]).toEqual([413, 'TooManyObjects'])
  expect(answer.headers['x-service-query']).toBe('alice/all < 37')
  expect([await found('alice/text = 1'), (await service.request('GET', '/tags/alice/more')).error]).toEqual([
    0,
    'TNonexistentTag',
  ])
})

test('the shortest value counts for 64 octets, and one object is a query, too', async () => {
  expect((await put(['has alice/all', { 'alice/short': { value: 1 } }])).status).toBe(204)
  const both = { 'alice/short': { value: 1 }, 'alice/other': { value: 1 } }
  expect((await put(['has alice/all', both])).error).toBe('TooManyObjects')
  const answer = await put(['service/about = "object 1"', { 'alice/text': text(10_001) }])
  expect([answer.status, answer.error]).toEqual([413, 'TooManyObjects'])
})

test.each<[what: string, path: (i: number) => string]>([
  ['tag', (i) => `alice/one/t${String(i)}`],
  ['namespace', (i) => `alice/n${String(i)}/t`],
])('what a new %s copies from its namespace counts, too', async (_what, path) => {
  // Six exceptions for each tag, and five for each namespace.
  const tags = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [path(i), { value: i }]))
  for (const query of ['service/about = "object 1"', 'alice/all = 1']) {
    const answer = await put([query, tags(45)])
    expect([answer.status, answer.error]).toEqual([413, 'TooManyObjects'])
    expect(answer.headers['x-service-query']).toBe(query)
  }
  expect((await service.request('GET', `/tags/${path(0)}`)).error).toBe('TNonexistentTag')
  expect((await put(['alice/all = 1', tags(20)])).status).toBe(204)
  // They are there now, and copy nothing.
  expect(
    (await put(['alice/all = 1', tags(20)], ['alice/all = 2', { 'alice/text': text(8000) }])).status,
  ).toBe(204)
})
