/** Documents compressed as `Accept-Encoding` asks: which coding, its entity tag, its length; and nothing else compressed. */
import { describe, expect, test } from '@jest/globals'
import { decoded } from '../support/contract-judge.ts'
import type { Answer } from '../support/service.ts'
import { ask, useService } from './raw-requests.ts'

const DOCUMENTS = [
  '/openapi.json',
  '/openapi.yaml',
  '/openapi-3.0.json',
  '/crossdomain.xml',
  '/docs',
  '/docs/try',
  ...['answer', 'copy', 'find', 'reference', 'request', 'try'].map((name) => `/docs/${name}.js`),
  '/docs/style.css',
  '/docs/icon.svg',
]

/** What clients accept, and the coding in which documents are then sent. */
const ACCEPTED: readonly (readonly [acceptEncoding: string | undefined, coding: string | undefined])[] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['br', 'br'],
  ['*', 'br'],
  // As browsers say it.
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=1.0', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0.5, identity', undefined],
  ['identity, gzip', 'gzip'],
  ['*;q=0', undefined],
  // Nothing is acceptable; a body that can be read by everybody is better than none (RFC 9110, 12.5.3).
  ['identity;q=0', undefined],
  ['identity;q=0, br', 'br'],
  ['gzip;q=high', undefined],
  ['gzipped, brotli', undefined],
]

describe('documents', () => {
  const setting = useService()
  const get = (path: string, acceptEncoding?: string, method = 'GET', more = {}): Promise<Answer> =>
    ask(setting().url, method, path, {
      headers: { ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }), ...more },
    })

  test.each(ACCEPTED)('Accept-Encoding %j: %s', async (acceptEncoding, coding) => {
    const { status, headers, body } = await get('/docs', acceptEncoding)
    expect([status, headers['content-encoding']]).toEqual([200, coding])
    const { body: plain } = await get('/docs')
    expect(decoded(body, coding).equals(plain)).toBe(true)
  })

  test.each(DOCUMENTS)(
    '%s is shorter in each coding, the same by HEAD, and has a tag for each',
    async (path) => {
      const plain = await get(path)
      expect(plain.headers['content-length']).toBe(String(plain.body.length))
      const tags = new Set([plain.headers.etag])
      for (const coding of ['gzip', 'br']) {
        const answer = await get(path, coding)
        expect(answer.headers['content-encoding']).toBe(coding)
        expect(decoded(answer.body, coding).equals(plain.body)).toBe(true)
        expect(answer.body.length).toBeLessThan(plain.body.length)
        const head = await get(path, coding, 'HEAD')
        for (const { headers } of [answer, head]) {
          expect(headers).toMatchObject({
            'content-length': String(answer.body.length),
            vary: 'Origin, Accept-Encoding',
          })
          expect(headers.etag).toBe(answer.headers.etag)
        }
        tags.add(answer.headers.etag)
      }
      expect(tags.size).toBe(3)
    },
  )

  test('If-None-Match is about the coding that would be sent', async () => {
    const [plain, gzip, br] = await Promise.all([get('/docs'), get('/docs', 'gzip'), get('/docs', 'br')])
    for (const [accepted, known, status] of [
      ['gzip', gzip, 304],
      ['br', br, 304],
      [undefined, plain, 304],
      ['gzip', br, 200],
      ['br', plain, 200],
      [undefined, gzip, 200],
    ] as const) {
      const { etag = '' } = known.headers
      const answer = await get('/docs', accepted, 'GET', { 'if-none-match': `W/${etag}` })
      expect([accepted, etag, answer.status]).toEqual([accepted, etag, status])
      expect(answer.headers.vary).toBe('Origin, Accept-Encoding')
      if (status === 304) expect(answer.headers).toMatchObject({ etag })
      if (status === 304) expect(answer.headers['content-encoding']).toBeUndefined()
    }
  })

  test('a script of JSONP is not compressed', async () => {
    const { headers, body } = await get('/openapi.json?callback=f', 'gzip, br')
    expect(headers['content-encoding']).toBeUndefined()
    expect(body.toString()).toMatch(/^\/\*\*\/f\(/)
  })

  test('each address gets its own, whatever addresses were asked for in between', async () => {
    const served = async (host: string): Promise<string> => {
      const { body, headers } = await get('/openapi.json', 'gzip', 'GET', { host })
      return (
        JSON.parse(decoded(body, headers['content-encoding']).toString()) as { servers: [{ url: string }] }
      ).servers[0].url
    }
    const hosts = Array.from({ length: 30 }, (_, i) => `h${String(i)}.example`)
    for (const host of [...hosts, ...hosts.reverse()]) expect(await served(host)).toBe(`http://${host}`)
  })

  test('an address that nobody used before gets it plain, and compressed when it is asked for again', async () => {
    await get('/docs', 'gzip')
    const codings: (string | undefined)[] = []
    for (let i = 0; i < 3; i++) {
      const { headers } = await get('/docs', 'gzip', 'GET', { host: 'new.example' })
      codings.push(headers['content-encoding'])
    }
    expect(codings).toEqual([undefined, 'gzip', 'gzip'])
  })

  test('no other answer is compressed', async () => {
    for (const path of ['/users/alice', '/objects?query=has%20alice/x', '/nowhere']) {
      const { headers } = await ask(setting().url, 'GET', path, {
        as: 'alice',
        headers: { 'accept-encoding': 'gzip, br' },
      })
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers.vary).toBe('Origin')
    }
  })
})
