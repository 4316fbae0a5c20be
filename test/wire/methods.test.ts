/** Methods: 405 with `Allow` for those that a path lacks, HEAD like GET, and odd requests. */
import { METHODS } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import type { Answer } from '../support/service.ts'
import { METHODS_BY_PATH, OPERATION_NAMES, PATHS, sampleOf, targetOf } from '../support/samples.ts'
import { basic, ask, exchange, exchangeOne, openText, rawRequest, useService } from './raw-requests.ts'

const setting = useService()
const listOf = (header: unknown): string[] => String(header).split(', ').sort()

const others = METHODS.filter((method) => method !== 'CONNECT' && method !== 'OPTIONS')

describe('405 for a method that a path lacks', () => {
  test.each([...METHODS_BY_PATH])('at %s', async (template, methods) => {
    const lacking = others.filter((method) => !methods.includes(method))
    expect(lacking).toEqual(expect.arrayContaining(['PATCH', 'TRACE', 'PROPFIND']))
    for (const method of lacking) {
      const answer = await exchangeOne(setting().url, rawRequest(`${method} ${PATHS.get(template) ?? ''}`))
      expect([method, answer.status, answer.error]).toEqual([method, 405, 'UnsupportedMethod'])
      expect(listOf(answer.headers.allow)).toEqual([...methods, 'OPTIONS'].sort())
      expect(answer.body).toBe('')
    }
  })

  test.each(['FOO', 'get', 'GETT', 'G-ET'])('or 400 for the unknown method %s', async (method) => {
    const answer = await exchangeOne(setting().url, rawRequest(`${method} /users/alice`))
    expect([
      [400, 'TBadRequest'],
      [405, 'UnsupportedMethod'],
    ]).toContainEqual([answer.status, answer.error])
    expect(answer.headers['x-service-request-id']).toMatch(/^[\w-]{16,}$/)
  })

  test('or another error for CONNECT', async () => {
    const answer = await exchangeOne(setting().url, rawRequest('CONNECT gloss.example:80'))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.error).toMatch(/^(NoSuchResource|UnsupportedMethod|TBadRequest)$/)
  })
})

describe('HEAD is GET without the body', () => {
  /** Headers that differ between any two answers. */
  const comparable = ({ status, headers }: Answer): unknown => [
    status,
    Object.entries(headers)
      .filter(([name]) => name !== 'date' && name !== 'x-service-request-id')
      .sort(),
  ]
  async function expectAlike(target: string, headers: Record<string, string>, as?: string): Promise<number> {
    const parts = { headers, ...(as !== undefined && { as }) }
    const [get, head] = [
      await ask(setting().url, 'GET', target, parts),
      await ask(setting().url, 'HEAD', target, parts),
    ]
    expect(comparable(head)).toEqual(comparable(get))
    expect(head.body).toHaveLength(0)
    if (get.status !== 304) expect(get.headers['content-length']).toBe(String(get.body.length))
    return get.status
  }
  const gets = OPERATION_NAMES.filter((name) => name.startsWith('GET '))

  test.each(gets)('for %s', async (name) => {
    const sample = await sampleOf(setting().service, name)
    expect(await expectAlike(targetOf(sample), {}, sample.as)).toBe(200)
    expect(await expectAlike(targetOf(sample), { accept: 'text/none' }, sample.as)).toBeGreaterThanOrEqual(
      400,
    )
  })

  test.each([
    ['/about/book-1/alice/books/cover', 200],
    ['/about/book-1/alice/books/secret', 401],
    ['/about/nothing/alice/books/rating', 404],
    ['/about/%FF', 400],
    ['/objects?query=has', 400],
    ['/values?query=has%20alice/books/rating&tag=alice/none', 404],
    ['/nowhere', 404],
  ])('for %s', async (target, status) => {
    expect(await expectAlike(target, {})).toBe(status)
  })

  test('for a 304', async () => {
    const target = '/about/book-1/alice/books/rating'
    const { etag = '' } = (await ask(setting().url, 'GET', target)).headers
    expect(await expectAlike(target, { 'if-none-match': etag })).toBe(304)
  })

  test('on a connection that is used again', async () => {
    const head = 'HEAD /users/alice HTTP/1.1\r\nHost: h\r\n\r\n'
    const { url } = setting()
    const { body } = await ask(url, 'GET', '/users/alice')
    const { socket, closed } = openText(url)
    socket.end(`${head}HEAD /nowhere HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`)
    const text = await closed
    expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
    expect(text).toContain(`Content-Length: ${body.length}`)
    expect(text).not.toContain('{')
  })
})

const OPAQUE = '/about/book-1/alice/books/cover'
const AS_ALICE = `Authorization: ${basic('alice')}`

describe('odd requests', () => {
  test.each([
    ['HTTP/1.1 without Host', 'GET /users/alice HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'TBadRequest'],
    ['not HTTP at all', '\x16\x03\x01\x02\x00\x01\x00', 400, 'TBadRequest'],
    ['an unknown version of HTTP', 'GET /users/alice HTTP/9.9\r\nHost: h\r\n\r\n', 400, 'TBadRequest'],
    ['a header name with a space', rawRequest('GET /users/alice', ['X y: 1']), 400, 'TBadRequest'],
    ['NUL in a header', rawRequest('GET /users/alice', ['X-Y: a\0b']), 400, 'TBadRequest'],
    ['a space in the target', rawRequest('GET /users/al ice'), 400, 'TBadRequest'],
    ['a target without a slash', rawRequest('GET users/alice'), 400, 'TBadRequest'],
    ['a lone LF in a header', rawRequest('GET /users/alice', ['X: a\nY: b']), 400, 'TBadRequest'],
    ['NUL in the target', rawRequest('GET /users/al\0ice'), 400, 'TBadRequest'],
    ['Host twice', rawRequest('GET /users/alice', ['host: gloss.example']), 400, 'TBadRequest'],
    ...[`PUT ${OPAQUE}`, 'PUT /values', 'GET /nowhere'].map(
      (line) =>
        [
          `Content-Type twice: ${line}`,
          rawRequest(
            line,
            [AS_ALICE, 'Content-Type: text/plain', 'content-type: text/plain', 'Content-Length: 1'],
            '1',
          ),
          400,
          'TBadRequest',
        ] as const,
    ),
    ...[basic('alice'), basic('alice', 'wrong'), basic('bob')].map(
      (second) =>
        [
          `Authorization twice: ${second}`,
          rawRequest('GET /users/alice', [AS_ALICE, `AUTHORIZATION: ${second}`]),
          400,
          'TBadRequest',
        ] as const,
    ),
    [
      'a wrong Authorization first',
      rawRequest('GET /users/alice', [`Authorization: x`, AS_ALICE]),
      400,
      'TBadRequest',
    ],
  ])('get an error with a message: %s', async (_when, octets, status, errorClass) => {
    const answer = await exchangeOne(setting().url, octets)
    expect([answer.status, answer.error]).toEqual([status, errorClass])
    expect(answer.headers['x-service-message']).toMatch(/\S/)
    expect(answer.headers['x-service-request-id']).toMatch(/^[\w-]{16,}$/)
    expect(answer.headers['content-length']).toBe('0')
  })

  test.each([
    ['octets above ASCII in the target', rawRequest('GET /users/\xff')],
    ['a fragment in the target', rawRequest('GET /users/alice#part')],
    ['a backslash in the target', rawRequest('GET /users\\alice')],
    ['two slashes at the beginning', rawRequest('GET //users/alice')],
    ['GET *', rawRequest('GET *')],
    ['parameters of a path', rawRequest('GET /users;v=1/alice')],
  ])('get an error of the service: %s', async (_when, octets) => {
    const answer = await exchangeOne(setting().url, octets)
    expect(['NoSuchResource', 'TNoSuchUser', 'InvalidUTF8Argument', 'TBadRequest']).toContain(answer.error)
  })

  test('in HTTP/1.0 need no Host', async () => {
    const answer = await exchangeOne(setting().url, 'GET /users/alice HTTP/1.0\r\n\r\n')
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json'])
  })

  test.each([
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings',
  ])('do not switch protocols: %s', async (headers) => {
    const { socket, closed } = openText(setting().url)
    socket.end(`GET /users/alice HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`)
    expect(await closed).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('with an unknown expectation are answered all the same', async () => {
    const answer = await exchangeOne(setting().url, rawRequest('GET /users/alice', ['Expect: a-miracle']))
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json'])
  })

  test('that are pipelined are answered in order', async () => {
    const more = 'GET /users/bob HTTP/1.1\r\nHost: h\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n'
    const answers = await exchange(setting().url, more + rawRequest('GET /users/alice'))
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200])
    expect(answers.map(({ body }) => /"name":"(\w+)"/.exec(body)?.[1])).toEqual(['bob', undefined, 'alice'])
  })
})
