/** Configurable limits, each tested on a service where it is small: bodies, URLs, headers, nesting, queries. */
import { describe, expect, test } from '@jest/globals'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import type { Answer } from '../support/service.ts'
import { ask, basic, exchangeOne, rawRequest, useService } from './raw-requests.ts'

const outcome = ({ status, error }: Pick<Answer, 'status' | 'error'>): unknown[] => [status, error]
const VALUE = '/about/book-1/alice/books/plain'

describe('MAX_BODY_BYTES=1000', () => {
  const setting = useService({ MAX_BODY_BYTES: '1000' })
  const put = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
    ask(setting().url, 'PUT', VALUE, {
      as: 'alice',
      body,
      headers: { 'content-type': 'text/plain', ...headers },
    })

  test('is the longest body allowed', async () => {
    expect(outcome(await put('x'.repeat(1000)))).toEqual([204, undefined])
    expect(outcome(await put('x'.repeat(1001)))).toEqual([413, 'PayloadTooLarge'])
    const tooLong = await put('€'.repeat(334))
    expect(outcome(tooLong)).toEqual([413, 'PayloadTooLarge'])
    expect(tooLong.headers['x-service-message']).toMatch(/a body may have 1000 octets, and JSON 1000; /)
  })

  test('counts the octets sent, not those decoded from base64', async () => {
    const encoding = { 'content-encoding': 'base64' }
    const encoded = (octets: number): string => Buffer.alloc(octets).toString('base64')
    expect(outcome(await put(encoded(750), encoding))).toEqual([204, undefined])
    expect(outcome(await put(encoded(753), encoding))).toEqual([413, 'PayloadTooLarge'])
  })

  test('holds for JSONP', async () => {
    const jsonp = (length: number): Promise<Answer> =>
      ask(
        setting().url,
        'GET',
        `${VALUE}?verb=PUT&payload-type=text/plain&payload-length=${length}&payload=${'x'.repeat(length)}`,
        { as: 'alice' },
      )
    expect(outcome(await jsonp(1000))).toEqual([204, undefined])
    expect(outcome(await jsonp(1001))).toEqual([413, 'PayloadTooLarge'])
  })

  test('is checked without reading the body', async () => {
    const headers = [
      `Authorization: ${basic('alice')}`,
      'Content-Type: text/plain',
      'Content-Length: 99999999999',
    ]
    const answer = await exchangeOne(setting().url, rawRequest(`PUT ${VALUE}`, headers, 'x'))
    expect(outcome(answer)).toEqual([413, 'PayloadTooLarge'])
    expect(answer.headers['connection']).toBe('close')
  })

  test('leaves the answer readable for a client that sends everything first', async () => {
    const headers = [
      `Authorization: ${basic('alice')}`,
      'Content-Type: text/plain',
      'Content-Length: 4000000',
    ]
    const octets = rawRequest(`PUT ${VALUE}`, headers, 'x'.repeat(4_000_000))
    for (let i = 0; i < 5; i++) {
      expect(outcome(await exchangeOne(setting().url, octets))).toEqual([413, 'PayloadTooLarge'])
    }
  })
})

describe('MAX_JSON_BYTES=1000', () => {
  const setting = useService({ MAX_JSON_BYTES: '1000' })
  const put = (
    path: string,
    type: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    ask(setting().url, 'PUT', path, { as: 'alice', body, headers: { 'content-type': type, ...headers } })
  const structured = (octets: number): string => `{"description":"${'€'.repeat(300)}"}`.padEnd(octets - 600)

  test('is the longest structured body and primitive value allowed, in octets', async () => {
    expect(Buffer.byteLength(structured(1000))).toBe(1000)
    expect(outcome(await put('/namespaces/alice/books', 'application/json', structured(1000)))).toEqual([
      204,
      undefined,
    ])
    const primitive = (octets: number): string => JSON.stringify('x'.repeat(octets - 2))
    expect(outcome(await put(VALUE, PRIMITIVE_MEDIA_TYPE, primitive(1000)))).toEqual([204, undefined])
    for (const answer of [
      await put('/namespaces/alice/books', 'application/json', structured(1001)),
      await put(VALUE, PRIMITIVE_MEDIA_TYPE, primitive(1001)),
      await put(VALUE, `${PRIMITIVE_MEDIA_TYPE}; charset=utf-8`, primitive(1001)),
    ]) {
      expect(outcome(answer)).toEqual([413, 'PayloadTooLarge'])
      expect(answer.headers['x-service-message']).toMatch(
        /JSON may have 1000 octets; send several requests, or .*text\/plain$/,
      )
    }
  })

  test('does not hold for opaque values, whatever they are', async () => {
    for (const type of ['text/plain', 'application/json']) {
      expect(outcome(await put(VALUE, type, JSON.stringify('x'.repeat(5000))))).toEqual([204, undefined])
    }
  })

  test('counts the octets sent, not those decoded from base64', async () => {
    const encoded = (octets: number): string =>
      Buffer.from(JSON.stringify('x'.repeat(octets - 2))).toString('base64')
    const base64 = { 'content-encoding': 'base64' }
    expect(outcome(await put(VALUE, PRIMITIVE_MEDIA_TYPE, encoded(750), base64))).toEqual([204, undefined])
    expect(outcome(await put(VALUE, PRIMITIVE_MEDIA_TYPE, encoded(753), base64))).toEqual([
      413,
      'PayloadTooLarge',
    ])
  })

  test('holds for JSONP', async () => {
    const jsonp = (length: number): Promise<Answer> => {
      const payload = encodeURIComponent(JSON.stringify('x'.repeat(length - 2)))
      const type = encodeURIComponent(PRIMITIVE_MEDIA_TYPE)
      const query = `verb=PUT&payload-type=${type}&payload-length=${length}&payload=${payload}`
      return ask(setting().url, 'GET', `${VALUE}?${query}`, { as: 'alice' })
    }
    expect(outcome(await jsonp(1000))).toEqual([204, undefined])
    expect(outcome(await jsonp(1001))).toEqual([413, 'PayloadTooLarge'])
  })

  test('is checked without reading the body', async () => {
    const headers = [
      `Authorization: ${basic('alice')}`,
      'Content-Type: application/json',
      'Content-Length: 1001',
    ]
    const answer = await exchangeOne(setting().url, rawRequest('PUT /values', headers, '{'))
    expect(outcome(answer)).toEqual([413, 'PayloadTooLarge'])
  })
})

describe('by default', () => {
  const setting = useService({})
  const put = (path: string, type: string, body: string): Promise<Answer> =>
    ask(setting().url, 'PUT', path, { as: 'alice', body, headers: { 'content-type': type } })
  const [JSON_OCTETS, OPAQUE_OCTETS, VALUES] = [2 * 1024 * 1024, 16 * 1024 * 1024, 250_000]
  const NAMESPACE = '/namespaces/alice/books'

  test('JSON may have 2 MiB, and an opaque value 16 MiB', async () => {
    const string = (octets: number): string => JSON.stringify('x'.repeat(octets - 2))
    expect(outcome(await put(VALUE, PRIMITIVE_MEDIA_TYPE, string(JSON_OCTETS)))).toEqual([204, undefined])
    expect(outcome(await put(VALUE, PRIMITIVE_MEDIA_TYPE, string(JSON_OCTETS + 1)))).toEqual([
      413,
      'PayloadTooLarge',
    ])
    expect((await ask(setting().url, 'GET', VALUE)).body.toString()).toBe(string(JSON_OCTETS))
    const body = (octets: number): string => '{"description":""}'.padEnd(octets)
    expect(outcome(await put(NAMESPACE, 'application/json', body(JSON_OCTETS)))).toEqual([204, undefined])
    expect(outcome(await put(NAMESPACE, 'application/json', body(JSON_OCTETS + 1)))).toEqual([
      413,
      'PayloadTooLarge',
    ])
    const even = await put(NAMESPACE, 'application/json', body(OPAQUE_OCTETS + 1))
    expect(even.headers['x-service-message']).toMatch(/and JSON 2097152; /)
    expect(outcome(await put(VALUE, 'text/plain', 'x'.repeat(OPAQUE_OCTETS)))).toEqual([204, undefined])
    expect(outcome(await put(VALUE, 'text/plain', 'x'.repeat(OPAQUE_OCTETS + 1)))).toEqual([
      413,
      'PayloadTooLarge',
    ])
    expect((await ask(setting().url, 'GET', VALUE)).body).toHaveLength(OPAQUE_OCTETS)
  })

  test('JSON may have 250,000 values', async () => {
    // The list is one of them, and so is the object around it.
    const list = (values: number): string => `[${'"",'.repeat(values - 2)}""]`
    const body = (values: number): string => `{"description":${list(values - 1)}}`
    expect(outcome(await put(VALUE, PRIMITIVE_MEDIA_TYPE, list(VALUES)))).toEqual([204, undefined])
    expect(outcome(await put(NAMESPACE, 'application/json', body(VALUES)))).toEqual([
      400,
      'InvalidPayloadField',
    ])
    for (const answer of [
      await put(VALUE, PRIMITIVE_MEDIA_TYPE, list(VALUES + 1)),
      await put(NAMESPACE, 'application/json', body(VALUES + 1)),
    ]) {
      expect(outcome(answer)).toEqual([413, 'PayloadTooLarge'])
      expect(answer.headers['x-service-message']).toMatch(
        /JSON may have 250000 values; send several requests, or .*text\/plain$/,
      )
    }
    expect((await ask(setting().url, 'GET', VALUE)).body.toString()).toBe(list(VALUES))
  })
})

describe('MAX_URL_BYTES=300', () => {
  const setting = useService({ MAX_URL_BYTES: '300' })

  test.each([
    ['a path', (n: number) => `/about/${'x'.repeat(n - 7)}`],
    ['a query string', (n: number) => `/about/x?_=${'x'.repeat(n - 11)}`],
    [
      'percent-encoded octets as they are sent',
      (n: number) => `/about/${'%41'.repeat(97)}${'x'.repeat(n - 7 - 291)}`,
    ],
  ])('counts %s', async (_what, target) => {
    expect(outcome(await ask(setting().url, 'GET', target(300)))).toEqual([404, 'NoSuchObject'])
    expect(outcome(await ask(setting().url, 'GET', target(301)))).toEqual([414, 'UriTooLong'])
    expect(outcome(await ask(setting().url, 'OPTIONS', target(301)))).toEqual([414, 'UriTooLong'])
  })
})

describe('MAX_HEADER_BYTES=2000', () => {
  const setting = useService({ MAX_HEADER_BYTES: '2000' })
  const TOO_LARGE = [431, 'RequestHeadersTooLarge']

  test.each([
    ['one value', [`X-Long: ${'x'.repeat(2500)}`]],
    ['one name', [`X-${'x'.repeat(2500)}: 1`]],
    ['many headers', Array.from({ length: 300 }, (_, i) => `X-${i}: 1234`)],
  ])('is exceeded by %s', async (_what, headers) => {
    const answer = await exchangeOne(setting().url, rawRequest('GET /users/alice', headers))
    expect(outcome(answer)).toEqual(TOO_LARGE)
    expect(answer.headers['connection']).toBe('close')
    expect(answer.headers['x-service-request-id']).toMatch(/^[\w-]{16,}$/)
  })

  test('is not exceeded by many short headers', async () => {
    const headers = Array.from({ length: 100 }, (_, i) => `X-${i}: 12`)
    expect(outcome(await exchangeOne(setting().url, rawRequest('GET /users/alice', headers)))).toEqual([
      200,
      undefined,
    ])
  })
})

describe('the number of headers', () => {
  const setting = useService()
  const create = (lines: number): string =>
    rawRequest('POST /objects', [
      ...Array.from({ length: lines }, (_, i) => `X-${i}: 1`),
      `Authorization: ${basic('alice')}`,
      'Content-Length: 0',
    ])

  test('is limited, and no header is dropped silently', async () => {
    expect(outcome(await exchangeOne(setting().url, create(900)))).toEqual([201, undefined])
    expect(outcome(await exchangeOne(setting().url, create(1100)))).toEqual([431, 'RequestHeadersTooLarge'])
  })
})

describe('MAX_JSON_DEPTH=6', () => {
  const setting = useService({ MAX_JSON_DEPTH: '6' })
  const send = (path: string, body: string, type = 'application/json'): Promise<Answer> =>
    setting().service.request('PUT', path, { as: 'alice', body, headers: { 'content-type': type } })
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

  test('makes deeper JSON malformed, with a message', async () => {
    const deep = await send('/namespaces/alice/books', `{"description":${nested(6)}}`)
    expect(outcome(deep)).toEqual([400, 'MalformedPayload'])
    expect(deep.headers['x-service-message']).toMatch(/6/)
    const shallow = await send('/namespaces/alice/books', `{"description":${nested(5)}}`)
    expect(outcome(shallow)).toEqual([400, 'InvalidPayloadField'])
  })

  test('holds for primitive values', async () => {
    expect(outcome(await send(VALUE, nested(7), PRIMITIVE_MEDIA_TYPE))).toEqual([400, 'MalformedPayload'])
    expect(outcome(await send(VALUE, nested(6), PRIMITIVE_MEDIA_TYPE))).toEqual([400, 'UnsupportedJSONType'])
  })

  test('does not count brackets in strings', async () => {
    for (const text of ['[[[[[[[[', '\\"[[[[[[[[{{{', '{{{{{{{{\\\\']) {
      expect(outcome(await send('/namespaces/alice/books', `{"description":"${text}"}`))).toEqual([
        204,
        undefined,
      ])
    }
  })

  test('keeps a million brackets from overflowing the stack', async () => {
    for (const body of ['['.repeat(1_000_000), nested(500_000), '{"a":'.repeat(200_000)]) {
      expect(outcome(await send('/values', body))).toEqual([400, 'MalformedPayload'])
    }
  })
})

describe('limits of queries', () => {
  const setting = useService({ MAX_QUERY_BYTES: '120', MAX_QUERY_OPERATORS: '4', MAX_QUERY_NESTING: '3' })
  const HAS = 'has alice/books/rating'
  const rows: [what: string, query: string, message: RegExp | undefined][] = [
    ['the most octets', `alice/books/rating = "${'x'.repeat(97)}"`, undefined],
    ['one octet more', `alice/books/rating = "${'x'.repeat(98)}"`, /120/],
    ['octets, not characters', `alice/books/rating = "${'é'.repeat(50)}"`, /120/],
    ['the most operators', `(${HAS}) or alice/books/rating = 1`, undefined],
    ['one operator more', `${HAS} and ${HAS} or ${HAS}`, /\b4\b/],
    ['the most levels of parentheses', `(((${HAS})))`, undefined],
    ['one level more', `((((${HAS}))))`, /\b3\b/],
    ['many levels that are not a query', '('.repeat(110), /\b3\b/],
  ]

  test.each(rows)('hold for every operation with a query: %s', async (_what, query, message) => {
    const answers = await Promise.all([
      setting().service.request('GET', '/objects', { query: { query } }),
      setting().service.request('GET', '/values', { query: { query, tag: 'alice/books/rating' } }),
      setting().service.request('PUT', '/values', { as: 'alice', json: { queries: [[query, {}]] } }),
      setting().service.request('DELETE', '/values', {
        as: 'alice',
        query: { query, tag: 'alice/books/plain' },
      }),
    ])
    for (const answer of answers) {
      expect(answer.error).toBe(message === undefined ? undefined : 'TParseError')
      if (message !== undefined) expect(answer.headers['x-service-message']).toMatch(message)
    }
  })
})
