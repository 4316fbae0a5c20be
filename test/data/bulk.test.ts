/** PUT /values: elements in order, all or nothing, and one tag in several spellings. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { startService, type Answer, type Service } from '../support/service.ts'

const [A, B] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002']

let service: Service
let round = 0
let tag = ''

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())
beforeEach(() => {
  tag = `alice/round-${String(round++)}`
})

type Element = [query: string, values: Readonly<Record<string, { value: unknown }>>]

const put = (...queries: Element[]): Promise<Answer> =>
  service.request('PUT', '/values', { as: 'alice', json: { queries } })

const is = (id: string): string => `service/id = "${id}"`

/** The value of a tag on an object; undefined if it has none. */
async function value(id: string, path = tag): Promise<unknown> {
  const answer = await service.request('GET', `/objects/${id}/${path}`, { as: 'alice' })
  return answer.status === 200 ? answer.json() : undefined
}

test('each element sees what the earlier ones wrote', async () => {
  const answer = await put(
    [is(A), { [tag]: { value: 1 } }],
    [`${tag} = 1`, { [tag]: { value: 2 } }],
    [`${tag} = 2`, { [`${tag}/more`]: { value: 'found' } }],
    [`${tag} = 1`, { [`${tag}/never`]: { value: 'made, and empty' } }],
  )
  expect(answer.status).toBe(204)
  expect([await value(A), await value(A, `${tag}/more`), await value(A, `${tag}/never`)]).toEqual([
    2,
    'found',
    undefined,
  ])
  expect((await service.request('GET', `/tags/${tag}/never`)).status).toBe(200)
})

test.each<[what: string, element: () => Element, error: string]>([
  ['a query that cannot be run', () => ['has alice/nothing-there', {}], 'TNonexistentTag'],
  ['a tag in a namespace that is missing', () => [is(B), { 'nobody/x': { value: 1 } }], 'TNonexistentTag'],
  ['a tag of somebody else', () => [is(B), { 'bob/x': { value: 1 } }], 'TPathPermissionDenied'],
  ['a system tag', () => [is(B), { 'service/about': { value: 'x' } }], 'TPathPermissionDenied'],
])('a failure undoes the earlier elements: %s', async (_what, element, error) => {
  await put([is(A), { [tag]: { value: 'before' } }])
  const about = `about ${tag}`
  const answer = await put(
    [is(A), { [tag]: { value: 'after' }, [`${tag}/new/tag`]: { value: 1 } }],
    [`service/about = "${about}"`, { [tag]: { value: 'made' } }],
    [`has ${tag}`, { [tag]: { value: 'all' } }],
    element(),
  )
  expect(answer.error).toBe(error)
  expect(await value(A)).toBe('before')
  expect((await service.request('GET', `/tags/${tag}/new/tag`)).status).toBe(404)
  expect((await service.request('GET', `/namespaces/${tag}`)).status).toBe(404)
  expect((await service.request('GET', `/about/${encodeURIComponent(about)}`)).status).toBe(404)
})

test('the last of several values for one object is kept', async () => {
  await put(
    [is(A), { [tag]: { value: 1 } }],
    [is(B), { [tag]: { value: 1 } }],
    [is(A), { [tag]: { value: 3 } }],
  )
  expect([await value(A), await value(B)]).toEqual([3, 1])
})

test('an object named by id and by about value gets the last value of either', async () => {
  const about = `about ${tag}`
  const { id } = (await service.ok('POST', '/objects', { as: 'alice', json: { about } })).json() as {
    id: string
  }
  const byAbout = `service/about = "${about}"`
  await put([byAbout, { [tag]: { value: 1 } }], [is(id), { [tag]: { value: 2 } }])
  expect(await value(id)).toBe(2)
  await put([is(id), { [tag]: { value: 3 } }], [byAbout, { [tag]: { value: 4 } }])
  expect(await value(id)).toBe(4)
})

test('a tag path with its user name in two letter cases is one tag, and the last value is kept', async () => {
  const upper = tag.replace('alice', 'ALICE')
  const made = await put([is(A), { [tag]: { value: 1 } }], [is(A), { [upper]: { value: 2 } }])
  expect([made.status, await value(A)]).toEqual([204, 2])
  const changed = await put(
    [is(A), { [tag]: { value: 3 } }],
    [is(A), { [upper]: { value: 4 } }],
    [is(A), { [tag]: { value: 5 } }],
  )
  expect([changed.status, await value(A)]).toEqual([204, 5])
})

test('a new tag named in two letter cases of the user name within one element is one tag', async () => {
  const upper = tag.replace('alice', 'ALICE')
  const answer = await put([is(A), { [tag]: { value: 1 }, [upper]: { value: 2 } }])
  expect([answer.status, await value(A)]).toEqual([204, 2])
  const byQuery = await put([`has ${tag}`, { [`${upper}/x`]: { value: 3 }, [`${tag}/x`]: { value: 4 } }])
  expect([byQuery.status, await value(A, `${tag}/x`)]).toEqual([204, 4])
})

test('an element without values creates the object with its about value, and nothing else', async () => {
  expect((await put([`service/about = "bare ${tag}"`, {}], [is(A), {}])).status).toBe(204)
  expect((await service.request('GET', `/about/${encodeURIComponent(`bare ${tag}`)}`)).status).toBe(200)
  expect((await put()).status).toBe(204)
})

test('an element creates an object only if its query is nothing but an about value', async () => {
  const about = `unmade ${tag}`
  await put([`service/about = "${about}" or ${is(A)}`, { [tag]: { value: 1 } }])
  expect(await value(A)).toBe(1)
  expect((await service.request('GET', `/about/${encodeURIComponent(about)}`)).status).toBe(404)
})

test('each element needs READ on the tags of its query', async () => {
  const json = { policy: 'closed', exceptions: [] }
  const query = { action: 'read' }
  await service.ok('PUT', '/permissions/tag-values/service/about', { as: 'service', query, json })
  try {
    const answer = await put(
      [is(A), { [tag]: { value: 1 } }],
      [`service/about = "x"`, { [tag]: { value: 1 } }],
    )
    expect([answer.status, answer.headers['x-service-path']]).toEqual([401, 'service/about'])
  } finally {
    const open = { policy: 'open', exceptions: [] }
    await service.ok('PUT', '/permissions/tag-values/service/about', { as: 'service', query, json: open })
  }
})

test('many objects by about value, some of them existing and some named twice', async () => {
  const numbers = Array.from({ length: 700 }, (_, i) => i % 600)
  const elements = numbers.map((n, i): Element => [
    `service/about = "${tag} ${String(n)}"`,
    { [tag]: { value: i }, [`${tag}/s`]: { value: `n${String(n)}` } },
  ])
  await put(...elements.slice(0, 50))
  expect((await put(...elements)).status).toBe(204)
  const found = await service.ok('GET', '/values', { query: { query: `has ${tag}`, tag } })
  const { results } = found.json() as { results: { id: Record<string, Record<string, { value: number }>> } }
  const values = Object.values(results.id).map((entry) => entry[tag]?.value ?? -1)
  expect(values.sort((a, b) => a - b)).toEqual(Array.from({ length: 600 }, (_, i) => i + 100))
})
