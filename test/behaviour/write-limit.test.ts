/** MAX_WRITE_BYTES: how many octets of values one PUT /values may write. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startService, type Answer, type Service } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ MAX_WRITE_BYTES: '10000' })
  const queries = Array.from({ length: 100 }, (_, i) => [
    `service/about = "object ${String(i)}"`,
    { 'alice/all': { value: i } },
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
