/** The options of the client for TypeScript: credentials, headers, timeouts, retries, conditions and pages. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  createClient,
  readValue,
  search,
  writeValue,
  type Client,
  type ClientOptions,
} from '../../packages/client/index.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = createClient(service.url, { username: 'alice', password: PASSWORD })
})
afterAll(() => service.stop())

const slot = { about: 'book:Dune', tag: 'alice/rating' }

/** Requests that the client sent, and the answers that it gets, in order; the last one again and again. */
const sent: Request[] = []
let answers: (() => Response)[] = []
beforeEach(() => {
  sent.length = 0
  answers = [() => Response.json({ ids: [] })]
})
const fakeFetch = async (request: Request): Promise<Response> => {
  sent.push(request)
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  return answer?.() ?? Response.error()
}
const fake = (options: ClientOptions = {}): Client =>
  createClient('http://gloss.test', { fetch: fakeFetch, ...options })
const busy =
  (status: number, seconds = '0') =>
  () =>
    new Response(null, { status, headers: { 'Retry-After': seconds } })

test('asks for the credentials of each request, and sends the headers of the client and of the request', async () => {
  const users = [{ username: 'jörg', password: 'a:b' }, undefined]
  const asking = fake({ credentials: async () => users.shift(), headers: { 'X-One': '1', 'X-Two': '1' } })
  await asking.findObjects({ query: 'has a/b' }, { headers: { 'X-Two': '2' } })
  await asking.findObjects({ query: 'has a/b' })
  const headers = sent.map((request) =>
    ['Authorization', 'X-One', 'X-Two'].map((name) => request.headers.get(name)),
  )
  expect(headers).toEqual([
    [`Basic ${Buffer.from('jörg:a:b').toString('base64')}`, '1', '2'],
    [null, '1', '1'],
  ])
})

test('puts arguments where the contract has them', async () => {
  answers = [() => Response.json({})]
  await fake().putTag({ tag_path: 'alice/a b', body: { description: 'x' } })
  await fake().getTag({ tag_path: 'alice/a', returnDescription: true })
  await fake().deleteValues({ query: 'has a/b', tag: ['a/b', 'c/d'] })
  const seen = await Promise.all(sent.map(async (it) => `${it.method} ${it.url} ${await it.text()}`))
  expect(seen).toEqual([
    'PUT http://gloss.test/tags/alice%2Fa%20b {"description":"x"}',
    'GET http://gloss.test/tags/alice%2Fa?returnDescription=true ',
    'DELETE http://gloss.test/values?query=has%20a%2Fb&tag=a%2Fb&tag=c%2Fd ',
  ])
})

test.each(['timeout', 'signal of the client', 'signal of the request'])('%s ends a request', async (what) => {
  const reason = new Error('enough')
  const signal = AbortSignal.abort(reason)
  const waiting = (request: Request): Promise<Response> =>
    new Promise((_, reject) => {
      request.signal.throwIfAborted()
      request.signal.addEventListener('abort', () => {
        reject(request.signal.reason as Error)
      })
    })
  const options = { timeout: { timeout: 1 }, 'signal of the client': { signal } }[what] ?? {}
  const asked = fake({ fetch: waiting, ...options }).findObjects(
    { query: 'has a/b' },
    what === 'signal of the request' ? { signal } : {},
  )
  await expect(asked).rejects.toMatchObject(what === 'timeout' ? { name: 'TimeoutError' } : reason)
})

const about = { about_value: 'x', tag_path: 'a/b' }
const REPEATED: [
  what: string,
  call: (on: Client) => Promise<unknown>,
  statuses: number[],
  requests: number,
][] = [
  ['a read', (on) => on.findObjects({ query: 'has a/b' }), [503, 429], 3],
  ['a read, three times at most', (on) => on.findObjects({ query: 'has a/b' }), [503, 503, 503], 3],
  ['a write', (on) => writeValue(on, { about: 'x', tag: 'a/b' }, 'text'), [503], 2],
  ['a deletion, which may have been done', (on) => on.deleteValueByAbout(about), [503], 1],
  ['a deletion that was refused', (on) => on.deleteValueByAbout(about), [429], 2],
  ['a read with a condition', (on) => readValue(on, slot, { ifNoneMatch: '"1"' }), [503], 2],
  ['a POST, of which the service did nothing', (on) => on.createObject(), [429], 2],
  ['a POST, which may have been done', (on) => on.createObject(), [503], 1],
  ['after another status', (on) => on.findObjects({ query: 'has a/b' }), [500], 1],
]

test.each(REPEATED)('repeats after Retry-After: %s', async (_what, call, statuses, requests) => {
  answers = [...statuses.map((status) => busy(status)), () => new Response(null, { status: 204 })]
  await call(fake()).catch(() => undefined)
  expect(sent).toHaveLength(requests)
  const bodies = await Promise.all(sent.map((request) => request.text()))
  expect(new Set(bodies).size).toBe(1)
})

test.each([
  ['without Retry-After', () => new Response(null, { status: 503 }), {}],
  ['for more than 30 seconds', busy(503, '31'), {}],
  ['if it is off', busy(503), { retry: false }],
])('does not wait %s', async (_why, answer, options) => {
  answers = [answer]
  await expect(fake(options).findObjects({ query: 'has a/b' })).rejects.toMatchObject({ status: 503 })
  expect(sent).toHaveLength(1)
})

test('a wait before a retry ends with the signal', async () => {
  const stop = new AbortController()
  answers = [
    () => {
      queueMicrotask(() => {
        stop.abort(new Error('enough'))
      })
      return busy(503, '20')()
    },
  ]
  const asked = fake().findObjects({ query: 'has a/b' }, { signal: stop.signal })
  await expect(asked).rejects.toThrow('enough')
})

test('writes and reads under conditions', async () => {
  await writeValue(client, slot, 1, { ifNoneMatch: '*' })
  await expect(writeValue(client, slot, 2, { ifNoneMatch: '*' })).rejects.toMatchObject({
    status: 412,
    errorClass: 'TPreconditionFailed',
  })
  const { etag, lastModified } = await readValue(client, slot)
  expect(Math.abs(Date.now() - lastModified.getTime())).toBeLessThan(600_000)
  expect(await readValue(client, slot, { ifNoneMatch: etag })).toBeUndefined()
  await writeValue(client, slot, 2, { ifMatch: etag })
  expect(await readValue(client, slot, { ifNoneMatch: etag })).toMatchObject({ value: 2 })
  await expect(writeValue(client, slot, 3, { ifMatch: etag })).rejects.toMatchObject({ status: 412 })
})

test('a plain method that gets 304 throws, as it has no data', async () => {
  const { etag } = await readValue(client, slot)
  const params = { path: { about_value: slot.about, tag_path: slot.tag }, header: { 'If-None-Match': etag } }
  const asked = client.GET('/about/{about_value}/{tag_path}', { params })
  await expect(asked).rejects.toMatchObject({ status: 304, message: '304 Not Modified' })
})

test('a search goes on from page to page, and ends early without the other pages', async () => {
  const books = ['a', 'b', 'c', 'd', 'e']
  const queries = books.map((name, i): [string, object] => [
    `service/about = "${name}"`,
    { 'alice/place': { value: i } },
  ])
  await client.putValues({ body: { queries } as never })
  const counting = createClient(service.url, {
    username: 'alice',
    password: PASSWORD,
    fetch: (request) => {
      sent.push(request)
      return fetch(request)
    },
  })
  const wanted = { query: 'has alice/place', sort: '-alice/place', tag: ['alice/place'], limit: 2 }
  const found = await Array.fromAsync(search(counting, wanted))
  expect(found.map((it) => it.about)).toEqual(books.toReversed())
  expect(found[0]?.values['alice/place']).toMatchObject({ value: 4 })
  expect(sent).toHaveLength(3)
  for await (const { about: name } of search(counting, wanted)) if (name === 'd') break
  expect(sent).toHaveLength(4)
})
