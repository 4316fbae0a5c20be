/** Values are never pages of the service: the headers that say so. */
import { describe, expect, test } from '@jest/globals'
import { THING } from '../support/fixture.ts'
import type { Answer, Options } from '../support/service.ts'
import { useService } from './raw-requests.ts'

const setting = useService()
const OBJECTS = ['/about/book-1', `/objects/${THING}`]
const request = (method: string, path: string, options: Options = {}): Promise<Answer> =>
  setting().service.ok(method, path, { as: 'alice', ...options })

const store = (path: string, type: string, body: string): Promise<Answer> =>
  request('PUT', path, { body, headers: { 'content-type': type } })

const guards = ({ headers }: Answer): unknown[] => [
  headers['x-content-type-options'],
  headers['content-security-policy'],
]

describe.each(OBJECTS)('on %s', (object) => {
  const path = `${object}/alice/books/plain`

  test.each(['text/html', 'image/svg+xml', 'x', 'application/pdf', 'text/plain'])(
    'an opaque value of the type %s is sandboxed, in every answer',
    async (type) => {
      const page = '<script>document.title = "ran"</script>'
      await store(path, type, page)
      for (const method of ['GET', 'HEAD']) {
        const whole = await request(method, path)
        expect(guards(whole)).toEqual(['nosniff', 'sandbox'])
        expect([whole.headers['content-type'], whole.headers['content-length']]).toEqual([
          type,
          String(page.length),
        ])
        expect(whole.body.toString()).toBe(method === 'GET' ? page : '')
        const known = await request(method, path, {
          headers: { 'if-none-match': whole.headers.etag },
        })
        expect([known.status, ...guards(known)]).toEqual([304, 'nosniff', 'sandbox'])
      }
      const scripted = await request('GET', path, { query: { verb: 'GET' } })
      expect(guards(scripted)).toEqual(['nosniff', 'sandbox'])
    },
  )

  test('a primitive value is taken as what it says it is', async () => {
    await request('PUT', path, { primitive: '"<script>"' })
    for (const method of ['GET', 'HEAD']) {
      const whole = await request(method, path)
      const known = await request(method, path, { headers: { 'if-none-match': whole.headers.etag } })
      expect([whole, known].map(({ status }) => status)).toEqual([200, 304])
      for (const answer of [whole, known]) expect(guards(answer)).toEqual(['nosniff', undefined])
    }
  })
})

test('errors and other answers are not values', async () => {
  const answer = await setting().service.request('GET', '/about/book-1/alice/books/missing')
  expect([answer.status, ...guards(answer)]).toEqual([404, undefined, undefined])
  expect(guards(await request('GET', '/users/alice'))).toEqual([undefined, undefined])
})
