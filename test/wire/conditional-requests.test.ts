/** Conditional requests on values: `ETag`, `Last-Modified`, `If-None-Match` and `If-Match` (RFC 9110). */
import { beforeEach, describe, expect, test } from '@jest/globals'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { THING } from '../support/fixture.ts'
import type { Answer, Options } from '../support/service.ts'
import { useService } from './raw-requests.ts'

const setting = useService()

const PATHS = [
  '/about/book-1/alice/books/plain',
  '/objects/0197a3c0-5a5a-7000-8000-0000000000bb/alice/books/plain',
]
const COVER = '/about/book-1/alice/books/cover'

const request = (method: string, path: string, options: Options = {}): Promise<Answer> =>
  setting().service.request(method, path, { as: 'alice', ...options })

const put = (path: string, primitive: string, headers: Record<string, string> = {}): Promise<Answer> =>
  request('PUT', path, { primitive, headers: { 'content-type': PRIMITIVE_MEDIA_TYPE, ...headers } })

const outcome = ({ status, error }: Answer): unknown[] => [status, error]
const FAILED = [412, 'TPreconditionFailed']

const tagOf = async (path: string): Promise<string> => String((await request('GET', path)).headers.etag)

describe.each(PATHS)('at %s', (path) => {
  let etag = ''
  beforeEach(async () => {
    await put(path, '1')
    etag = await tagOf(path)
  })

  test('every read has both validators', async () => {
    const { headers } = await request('GET', path)
    expect(headers.etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(headers['last-modified']).toMatch(
      /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
    )
    const age = Date.parse(String(headers.date)) - Date.parse(String(headers['last-modified']))
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(60_000)
    expect(await tagOf(path)).toBe(etag)
  })

  test('every write changes the entity tag, even of the same value', async () => {
    await put(path, '2')
    const second = await tagOf(path)
    await put(path, '2')
    const third = await tagOf(path)
    expect(new Set([etag, second, third]).size).toBe(3)
  })

  test('304 if If-None-Match names the value', async () => {
    const named = [
      etag,
      `W/${etag}`,
      '*',
      ` ${etag} `,
      `"other", ${etag}`,
      `W/"x",W/${etag},"y"`,
      `,, ${etag},`,
    ]
    for (const condition of named) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await request(method, path, { headers: { 'if-none-match': condition } })
        expect([condition, answer.status, answer.body.length]).toEqual([condition, 304, 0])
        expect(answer.headers.etag).toBe(etag)
        expect(answer.headers['last-modified']).toBeDefined()
        expect(answer.headers['cache-control']).toBe('no-cache')
        expect(answer.headers['content-type']).toBeUndefined()
      }
    }
  })

  test('200 if If-None-Match does not name the value', async () => {
    const without = etag.slice(1, -1)
    for (const condition of [
      '"other"',
      'W/"other"',
      without,
      `"${without}x"`,
      etag.toUpperCase(),
      '"*"',
      '',
    ]) {
      const answer = await request('GET', path, { headers: { 'if-none-match': condition } })
      expect([condition, answer.status, answer.body.toString()]).toEqual([condition, 200, '1'])
    }
  })

  test('304 only if the caller may read and accepts the value', async () => {
    const headers = { 'if-none-match': '*', accept: 'text/none' }
    expect(outcome(await request('GET', path, { headers }))).toEqual([406, 'NotAcceptable'])
  })

  test('PUT with If-Match writes only over the named value', async () => {
    for (const condition of ['"other"', `W/${etag}`, etag.slice(1, -1), '"*"', `"a", W/${etag}`]) {
      const answer = await put(path, '2', { 'if-match': condition })
      expect([condition, ...outcome(answer)]).toEqual([condition, ...FAILED])
    }
    expect((await request('GET', path)).json()).toBe(1)
    expect((await put(path, '3', { 'if-match': `"other", ${etag}` })).status).toBe(204)
    expect(outcome(await put(path, '4', { 'if-match': etag }))).toEqual(FAILED)
    expect((await put(path, '5', { 'if-match': '*' })).status).toBe(204)
    expect((await request('GET', path)).json()).toBe(5)
  })

  test('PUT with If-None-Match writes only over other values', async () => {
    for (const condition of ['*', etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await put(path, '2', { 'if-none-match': condition })
      expect([condition, ...outcome(answer)]).toEqual([condition, ...FAILED])
    }
    expect((await put(path, '3', { 'if-none-match': '"other"' })).status).toBe(204)
    expect((await request('GET', path)).json()).toBe(3)
  })

  test('both conditions must hold', async () => {
    expect(outcome(await put(path, '2', { 'if-match': etag, 'if-none-match': etag }))).toEqual(FAILED)
    expect(outcome(await put(path, '2', { 'if-match': '"x"', 'if-none-match': '"x"' }))).toEqual(FAILED)
    expect((await put(path, '2', { 'if-match': etag, 'if-none-match': '"x"' })).status).toBe(204)
  })

  test('DELETE with If-Match deletes only the named value', async () => {
    const remove = (condition: string): Promise<Answer> =>
      request('DELETE', path, { headers: { 'if-match': condition } })
    expect(outcome(await remove('"other"'))).toEqual(FAILED)
    expect(outcome(await remove(`W/${etag}`))).toEqual(FAILED)
    expect((await request('GET', path)).status).toBe(200)
    expect((await remove(etag)).status).toBe(204)
    expect((await request('GET', path)).status).toBe(404)
    expect(outcome(await remove(etag))).toEqual(FAILED)
    expect(outcome(await remove('*'))).toEqual(FAILED)
    expect((await request('DELETE', path)).status).toBe(204)
  })

  test('conditions of a PUT hold or fail where there is no value', async () => {
    await request('DELETE', path)
    expect(outcome(await put(path, '2', { 'if-match': '*' }))).toEqual(FAILED)
    expect(outcome(await put(path, '2', { 'if-match': etag }))).toEqual(FAILED)
    expect((await request('GET', path)).status).toBe(404)
    expect((await put(path, '2', { 'if-none-match': '*' })).status).toBe(204)
    expect(outcome(await put(path, '3', { 'if-none-match': '*' }))).toEqual(FAILED)
  })

  test('of many writers that have read the same value, one wins', async () => {
    const answers = await Promise.all([2, 3, 4, 5].map((n) => put(path, String(n), { 'if-match': etag })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412])
  })
})

test('a PUT with a failed condition creates no object and no tag', async () => {
  expect(outcome(await put('/about/never-made/alice/never/made', '1', { 'if-match': '*' }))).toEqual(FAILED)
  expect(outcome(await request('GET', '/about/never-made'))).toEqual([404, 'NoSuchObject'])
  expect(outcome(await request('GET', '/tags/alice/never/made'))).toEqual([404, 'TNonexistentTag'])
})

test('an opaque value has validators, too', async () => {
  const { headers } = await request('GET', COVER)
  const answer = await request('GET', COVER, { headers: { 'if-none-match': String(headers.etag) } })
  expect([answer.status, answer.headers.etag]).toEqual([304, headers.etag])
  const put = await request('PUT', COVER, {
    body: 'new',
    headers: { 'content-type': 'image/png', 'if-match': String(headers.etag) },
  })
  expect(put.status).toBe(204)
  expect(await tagOf(COVER)).not.toBe(headers.etag)
})

test('JSON of what no PUT changes has neither validator', async () => {
  const { status, headers } = await request('GET', '/about/book-1', { headers: { 'if-none-match': '*' } })
  expect([status, headers.etag, headers['last-modified']]).toEqual([200, undefined, undefined])
})

describe('DELETE by somebody who may not read the value', () => {
  const tag = 'alice/books/secret'
  const conditions = [{ 'if-none-match': '*' }, { 'if-match': '*' }, { 'if-match': '"other"' }]
  const remove = (path: string, as: string, headers: Record<string, string>): Promise<Answer> =>
    setting().service.request('DELETE', path, { as, headers })
  const permit = (action: string, json: object): Promise<unknown> =>
    setting().service.ok('PUT', `/permissions/tag-values/${tag}`, { as: 'alice', query: { action }, json })

  test.each([`/about/book-1/${tag}`, `/objects/${THING}/${tag}`])(
    'does not tell whether there is one: %s',
    async (path) => {
      await permit('delete', { policy: 'open', exceptions: ['carol'] })
      for (const headers of conditions) {
        for (const isThere of [true, false]) {
          if (isThere) await setting().service.ok('PUT', path, { as: 'alice', primitive: '1' })
          expect(outcome(await remove(path, 'carol', headers))).toEqual([401, 'TPathPermissionDenied'])
          expect(outcome(await remove(path, 'bob', headers))).toEqual([204, undefined])
          expect((await setting().service.request('GET', path, { as: 'alice' })).status).toBe(404)
        }
      }
    },
  )

  test.each([`/about/book-1/${tag}`, `/objects/${THING}/${tag}`])(
    'who may read it meets the condition: %s',
    async (path) => {
      await permit('delete', { policy: 'open', exceptions: ['carol'] })
      await permit('read', { policy: 'closed', exceptions: ['alice', 'bob'] })
      await setting().service.ok('PUT', path, { as: 'alice', primitive: '1' })
      expect(outcome(await remove(path, 'bob', { 'if-none-match': '*' }))).toEqual(FAILED)
      expect(outcome(await remove(path, 'bob', { 'if-match': '"other"' }))).toEqual(FAILED)
      expect((await remove(path, 'bob', { 'if-match': '*' })).status).toBe(204)
      expect(outcome(await remove(path, 'bob', { 'if-match': '*' }))).toEqual(FAILED)
      await permit('read', { policy: 'closed', exceptions: ['alice'] })
    },
  )
})
