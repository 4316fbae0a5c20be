/** Requests with very many parts are answered as small ones are, never with a 500. */
import { expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { ok, put, find, status } = useService()
const MANY = 40_000
/** As many elements with an id as JSON has room for, about. */
const ELEMENTS = 20_000

const many = <T>(make: (i: number) => T): T[] => Array.from({ length: MANY }, (_, i) => make(i))

test('a permission with very many exceptions is checked name by name', async () => {
  await put('/about/x/alice/tag', '1')
  const allow = (exceptions: string[]): Promise<string> =>
    status('PUT', '/permissions/tags/alice/tag', {
      as: 'alice',
      query: 'action=update',
      json: { policy: 'open', exceptions },
    })
  expect(await allow(many(() => 'bob'))).toBe('204')
  expect(await allow(many((i) => `nobody-${String(i)}`))).toBe('412 TNoSuchUser')
  expect(await allow([...many(() => 'bob'), 'a b'])).toBe('400 TInvalidUsername')
})

test('very many new tags in one element of PUT /values are refused like one', async () => {
  await put('/about/x/alice/tag', '1')
  const values = Object.fromEntries(many((i) => [`alice/many/t${String(i)}`, { value: i }]))
  const json = { queries: [['has alice/tag', values]] }
  expect(await status('PUT', '/values', { as: 'bob', json })).toBe('401 TPathPermissionDenied')
  expect(await status('PUT', '/values', { json })).toBe('401 TPathPermissionDenied')
})

test('GET /values takes very many requested tags', async () => {
  await put('/about/x/alice/tag', '1')
  const tags = Array.from({ length: 3000 }, (_, i) => `tag=alice/t${String(i)}`)
  expect(await status('GET', `/values?query=has+alice/tag&${tags.join('&')}`)).toBe('404 TNonexistentTag')
  const same = tags.map(() => 'tag=alice/tag')
  expect(await status('GET', `/values?query=has+alice/tag&${same.join('&')}`)).toBe('200')
})

test('PUT /values takes very many elements', async () => {
  const id = (i: number): string => `0197a3c0-5a5a-7000-8000-${String(i).padStart(12, '0')}`
  const ids = many(id).slice(0, ELEMENTS)
  const queries = ids.map((one, i) => [`service/id = "${one}"`, { 'alice/n': { value: i } }])
  await ok('PUT', '/values', { as: 'alice', json: { queries } })
  expect(await find('alice/n >= 19990')).toEqual(ids.slice(19_990))
  expect(await find('has alice/n')).toHaveLength(ELEMENTS)
})

test('very deeply nested JSON is refused with 400', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  expect(await status('PUT', '/about/x/alice/deep', { as: 'alice', primitive: deep })).toMatch(
    /^400 (MalformedPayload|UnsupportedJSONType)$/,
  )
  const headers = { 'content-type': 'application/json' }
  expect(await status('PUT', '/values', { as: 'alice', body: `{"queries":${deep}}`, headers })).toBe(
    '400 MalformedPayload',
  )
})
