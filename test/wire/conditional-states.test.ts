/** Conditional requests on what JSON shows and PUT changes: namespaces, tags, permissions and users (RFC 9110). */
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Answer, Options } from '../support/service.ts'
import { useService } from './raw-requests.ts'

const setting = useService()

const request = (method: string, path: string, options: Options = {}): Promise<Answer> =>
  setting().service.request(method, path, { as: 'alice', ...options })

const outcome = ({ status, error }: Answer): unknown[] => [status, error]
const FAILED = [412, 'TPreconditionFailed']

const tagOf = async (path: string, options: Options = {}): Promise<string> =>
  String((await request('GET', path, options)).headers.etag)

/** Something with a state, and the body that gives it the n-th of several states. */
interface Thing {
  readonly path: string
  readonly state: (n: number) => object
}

const permission = (n: number): object => ({
  policy: n % 2 === 0 ? 'open' : 'closed',
  exceptions: [[], ['bob'], ['carol'], ['bob', 'carol']][n >> 1],
})

const THINGS: readonly Thing[] = [
  { path: '/namespaces/alice/books', state: (n) => ({ description: String(n) }) },
  { path: '/tags/alice/books/rating', state: (n) => ({ description: String(n) }) },
  { path: '/users/alice', state: (n) => ({ name: String(n) }) },
  { path: '/permissions/namespaces/alice/books?action=update', state: permission },
  { path: '/permissions/tags/alice/books/rating?action=update', state: permission },
  { path: '/permissions/tag-values/alice/books/rating?action=write', state: permission },
]

const deletion = (path: string, condition: string, options: Options = {}): Promise<Answer> =>
  request('DELETE', path, { headers: { 'if-match': condition }, ...options })

describe.each(THINGS)('at $path', ({ path, state }) => {
  const put = (n: number, headers: Record<string, string> = {}): Promise<Answer> =>
    request('PUT', path, { json: state(n), headers })

  let etag = ''
  beforeEach(async () => {
    await put(0)
    etag = await tagOf(path)
  })

  test('GET and HEAD have an entity tag, and no time', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await request(method, path)
      expect([status, headers.etag, headers['last-modified']]).toEqual([200, etag, undefined])
    }
    expect(etag).toMatch(/^"[\w-]{16}"$/)
  })

  test('each state has its own entity tag, and the same whenever it is there', async () => {
    const tags: string[] = []
    for (const n of [1, 2, 3, 0]) {
      expect((await put(n)).status).toBe(204)
      tags.push(await tagOf(path))
    }
    expect(new Set(tags).size).toBe(4)
    expect(tags.at(-1)).toBe(etag)
  })

  test('304 if If-None-Match names the state, 200 otherwise', async () => {
    for (const condition of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await request(method, path, { headers: { 'if-none-match': condition } })
        expect([condition, answer.status, answer.body.length]).toEqual([condition, 304, 0])
        expect([answer.headers.etag, answer.headers['cache-control']]).toEqual([etag, 'no-cache'])
      }
    }
    await put(1)
    const answer = await request('GET', path, { headers: { 'if-none-match': etag } })
    expect([answer.status, answer.headers.etag]).toEqual([200, await tagOf(path)])
  })

  test('PUT with If-Match writes only over the named state', async () => {
    for (const condition of ['"other"', `W/${etag}`, etag.slice(1, -1), '"*"', '']) {
      expect([condition, ...outcome(await put(1, { 'if-match': condition }))]).toEqual([condition, ...FAILED])
    }
    expect(await tagOf(path)).toBe(etag)
    expect((await put(1, { 'if-match': `"other", ${etag}` })).status).toBe(204)
    expect(outcome(await put(2, { 'if-match': etag }))).toEqual(FAILED)
    expect((await put(2, { 'if-match': '*' })).status).toBe(204)
  })

  test('PUT with If-None-Match writes only over other states', async () => {
    expect(outcome(await put(1, { 'if-none-match': etag }))).toEqual(FAILED)
    expect((await put(1, { 'if-none-match': '"other"' })).status).toBe(204)
  })

  test('of many writers that have read the same state, one wins', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => put(n, { 'if-match': etag })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412])
    const winner = answers.findIndex(({ status }) => status === 204) + 1
    const won = await tagOf(path)
    await put(winner)
    expect(await tagOf(path)).toBe(won)
  })

  test('401 for somebody who may not change it, and 404 where nothing is, with any condition', async () => {
    const asking = { json: state(1), headers: { 'if-match': '"other"' } }
    expect((await request('PUT', path, { ...asking, as: 'carol' })).status).toBe(401)
    expect((await request('PUT', path.replace(/alice/, 'nothing'), asking)).status).toBe(404)
  })
})

describe('a namespace', () => {
  const path = '/namespaces/alice/books'
  const LISTS = ['returnTags', 'returnNamespaces', 'returnTags=true&returnNamespaces'].map(
    (names) => `${path}?${names}=true`,
  )

  test('has the same entity tag with and without its description', async () => {
    expect(await tagOf(`${path}?returnDescription=true`)).toBe(await tagOf(path))
  })

  test.each(LISTS)('has another one with lists, which changes with them: %s', async (listed) => {
    const before = await tagOf(listed)
    const state = await tagOf(path)
    expect(before).toMatch(/^"[\w-]{16}\.[\w-]{16}"$/)
    expect(before.slice(1, 17)).toBe(state.slice(1, 17))
    await request('POST', path, { json: { name: 'more', description: '' } })
    await request('POST', '/tags/alice/books', { json: { name: 'more', description: '', indexed: false } })
    const answer = await request('GET', listed, { headers: { 'if-none-match': before } })
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).not.toBe(before)
    expect(await tagOf(path)).toBe(state)
    const put = await request('PUT', path, { json: { description: listed }, headers: { 'if-match': before } })
    expect(put.status).toBe(204)
    expect(outcome(await deletion(`${path}/more`, before))).toEqual(FAILED)
    expect((await deletion('/tags/alice/books/more', '*')).status).toBe(204)
    expect((await deletion(`${path}/more`, await tagOf(`${path}/more?returnTags=true`))).status).toBe(204)
  })

  test('is deleted only in the named state', async () => {
    await request('POST', '/namespaces/alice', { json: { name: 'gone', description: '' } })
    const gone = '/namespaces/alice/gone'
    const before = await tagOf(gone)
    await request('PUT', gone, { json: { description: 'changed' } })
    expect(outcome(await deletion(gone, before))).toEqual(FAILED)
    expect((await deletion(gone, await tagOf(gone))).status).toBe(204)
    expect((await deletion(gone, '*')).status).toBe(404)
  })

  test('does not tell somebody who may not list it what its description is', async () => {
    await request('POST', '/namespaces/alice', { json: { name: 'hidden', description: 'one of two' } })
    const hidden = '/namespaces/alice/hidden'
    const permit = (action: string, policy: string, exceptions: string[]): Promise<unknown> =>
      setting().service.ok('PUT', `/permissions${hidden}`, {
        ...{ as: 'alice', query: { action }, json: { policy, exceptions } },
      })
    await permit('list', 'closed', ['alice'])
    await permit('update', 'closed', ['alice', 'bob'])
    await permit('delete', 'closed', ['alice', 'bob'])
    const conditions = [{ 'if-match': '"other"' }, { 'if-none-match': await tagOf(hidden) }]
    for (const headers of conditions) {
      const json = { description: 'one of two' }
      expect((await request('PUT', hidden, { as: 'bob', json, headers })).status).toBe(204)
      expect(outcome(await request('PUT', hidden, { as: 'carol', json, headers }))).toEqual([
        ...[401, 'TPathPermissionDenied'],
      ])
      expect(outcome(await request('PUT', hidden, { json, headers }))).toEqual(FAILED)
    }
    expect((await deletion(hidden, '"other"', { as: 'bob' })).status).toBe(204)
  })
})

test('a tag is deleted only in the named state', async () => {
  await request('POST', '/tags/alice', { json: { name: 'gone', description: '', indexed: true } })
  const gone = '/tags/alice/gone'
  const before = await tagOf(gone)
  await request('PUT', gone, { json: { description: 'changed' } })
  expect(outcome(await deletion(gone, before))).toEqual(FAILED)
  expect((await deletion(gone, await tagOf(gone))).status).toBe(204)
  expect((await deletion(gone, '*')).status).toBe(404)
})

test('a tag made anew with other properties is not the one that was read', async () => {
  const make = (indexed: boolean): Promise<Answer> =>
    request('POST', '/tags/alice', { json: { name: 'anew', description: 'same', indexed } })
  await make(true)
  const before = await tagOf('/tags/alice/anew')
  await request('DELETE', '/tags/alice/anew')
  await make(false)
  expect(outcome(await deletion('/tags/alice/anew', before))).toEqual(FAILED)
})

test('a permission has another entity tag once a user among its exceptions is deleted', async () => {
  await request('POST', '/users', { as: 'service', json: { username: 'gone', password: 'long enough' } })
  const path = '/permissions/namespaces/alice/books?action=create'
  const put = (exceptions: string[], condition = '*'): Promise<Answer> =>
    request('PUT', path, { json: { policy: 'closed', exceptions }, headers: { 'if-match': condition } })
  expect((await put(['alice', 'gone'])).status).toBe(204)
  const before = await tagOf(path)
  await request('DELETE', '/users/gone', { as: 'service' })
  expect(outcome(await put(['alice'], before))).toEqual(FAILED)
  expect((await put(['alice'], await tagOf(path))).status).toBe(204)
})

describe('a user', () => {
  const as = 'service'
  const put = (json: object, headers: Record<string, string> = {}): Promise<Answer> =>
    request('PUT', '/users/carol', { as, json, headers })

  test('has an email that only the entity tags of superusers know', async () => {
    const [seen, known] = [await tagOf('/users/carol'), await tagOf('/users/carol', { as })]
    expect(seen).not.toBe(known)
    await put({ email: 'carol@example.org' })
    for (const reader of ['alice', 'carol']) expect(await tagOf('/users/carol', { as: reader })).toBe(seen)
    expect((await setting().service.request('GET', '/users/carol')).headers.etag).toBe(seen)
    expect(outcome(await put({ name: 'Carol' }, { 'if-match': known }))).toEqual(FAILED)
    expect(outcome(await put({ name: 'Carol' }, { 'if-match': seen }))).toEqual(FAILED)
    expect((await put({ name: 'Carol' }, { 'if-match': await tagOf('/users/carol', { as }) })).status).toBe(
      204,
    )
  })

  test('has a role, which is a part of the state for everybody', async () => {
    const before = await tagOf('/users/carol')
    await put({ role: 'superuser' })
    expect(await tagOf('/users/carol')).not.toBe(before)
    await put({ role: 'user' })
    expect(await tagOf('/users/carol')).toBe(before)
  })

  test('gets no role if the condition fails', async () => {
    expect(outcome(await put({ role: 'superuser' }, { 'if-match': '"other"' }))).toEqual(FAILED)
  })

  test('is deleted only in the named state', async () => {
    await request('POST', '/users', { as, json: { username: 'gone', password: 'long enough' } })
    const before = await tagOf('/users/gone', { as })
    await request('PUT', '/users/gone', { as, json: { email: 'gone@example.org' } })
    expect(outcome(await deletion('/users/gone', before, { as }))).toEqual(FAILED)
    expect((await deletion('/users/gone', await tagOf('/users/gone', { as }), { as })).status).toBe(204)
  })
})
