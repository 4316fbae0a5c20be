/** What is bounded by a number: one less than that, exactly as many, and one more. Texts count by code points. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startService, type Service } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  const queries = Array.from({ length: MATCHES }, (_, i) => [
    `service/about = "exact ${String(i)}"`,
    { 'alice/exact': { value: i }, 'alice/text': { value: `text ${String(i)}` } },
  ])
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
})
afterAll(() => service.stop())

const MATCHES = 12
const AROUND = [MATCHES - 1, MATCHES, MATCHES + 1]

type Query = Readonly<Record<string, string | readonly string[]>>
const get = async (path: string, query: Query): Promise<Record<string, unknown>> =>
  (await service.ok('GET', path, { as: 'alice', query })).json() as Record<string, unknown>

describe.each(AROUND)(`${String(MATCHES)} matches where %i are asked for`, (limit) => {
  const query = 'has alice/exact'
  const sorts = ['', 'alice/exact', '-alice/exact']

  test.each(sorts)('are a page and whether there is another one, sorted by "%s"', async (sort) => {
    const asked = { query, limit: String(limit), count: 'exact', ...(sort !== '' && { sort }) }
    const page = await get('/search', asked)
    expect(page).toMatchObject({ count: MATCHES })
    expect(page['results']).toHaveLength(Math.min(limit, MATCHES))
    expect(page['next'] !== undefined).toBe(limit < MATCHES)
  })

  test('are counted up to that', async () => {
    const found = await get('/search', { query, limit: '1', count: `upto:${String(limit)}` })
    expect(found).toMatchObject({ count: Math.min(limit, MATCHES), exact: limit >= MATCHES })
  })

  test('are counted up to that by a check', async () => {
    const json = { query, countUpTo: limit }
    const found = (await service.ok('POST', '/search/check', { json, as: 'alice' })).json()
    expect(found).toMatchObject({ nodes: [{ count: Math.min(limit, MATCHES), exact: limit >= MATCHES }] })
  })

  test('are the newest', async () => {
    const path = '/recent/objects'
    const answer = await service.ok('GET', path, { as: 'alice', query: { query, limit: String(limit) } })
    // Each object has two values by alice, and one by the service.
    expect((answer.json() as unknown[]).length).toBe(limit)
  })
})

/** A letter that takes two UTF-16 units and four octets. */
const LETTER = '𐐨'

describe('a password has at least eight characters', () => {
  test.each([
    [7, 400],
    [8, 201],
    [9, 201],
  ])('%i: %i', async (length, status) => {
    const json = { username: `long-${String(length)}`, password: LETTER.repeat(length) }
    expect((await service.request('POST', '/users', { as: 'service', json })).status).toBe(status)
  })
})

describe('a user name has at most 128 characters', () => {
  test.each([
    [127, 201],
    [128, 201],
    [129, 400],
  ])('%i: %i', async (length, status) => {
    const json = { username: LETTER.repeat(length), password: 'correct horse' }
    expect((await service.request('POST', '/users', { as: 'service', json })).status).toBe(status)
  })
})

describe('a path has at most 233 characters', () => {
  test.each([
    [232, 204],
    [233, 204],
    [234, 400],
  ])('%i: %i', async (length, status) => {
    const path = `alice/${LETTER.repeat(length - 'alice/'.length)}`
    const target = `/about/exact%200/${encodeURIComponent(path).replaceAll('%2F', '/')}`
    expect((await service.request('PUT', target, { as: 'alice', primitive: '1' })).status).toBe(status)
  })
})

describe('an about value has at most 65,535 octets', () => {
  test.each([
    [65_534, 201],
    [65_535, 201],
    [65_536, 400],
  ])('%i: %i', async (octets, status) => {
    const about = LETTER.repeat(Math.floor(octets / 4)) + 'x'.repeat(octets % 4)
    expect((await service.request('POST', '/objects', { as: 'alice', json: { about } })).status).toBe(status)
  })
})

describe('a callback has at most 128 characters', () => {
  test.each([
    [127, 200],
    [128, 200],
    [129, 400],
  ])('%i: %i', async (length, status) => {
    const query = { callback: LETTER.repeat(length) }
    expect((await service.request('GET', '/about/exact%200', { as: 'alice', query })).status).toBe(status)
  })
})
