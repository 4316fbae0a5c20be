/** Content types of values: opaque ones are kept letter for letter, and exactly one means a primitive value. */
import { describe, expect, test } from '@jest/globals'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { THING } from '../support/fixture.ts'
import type { Answer } from '../support/service.ts'
import { exchangeOne, basic, rawRequest, useService, type RawAnswer } from './raw-requests.ts'

const setting = useService()
const VALUE = '/about/typed/alice/books/plain'

/** Puts a value; the type is given with one character per octet. */
const put = (type: string, body: string): Promise<RawAnswer> =>
  exchangeOne(
    setting().url,
    rawRequest(
      `PUT ${VALUE}`,
      [`Authorization: ${basic('alice')}`, `Content-Type: ${type}`, `Content-Length: ${body.length}`],
      body,
    ),
  )

const octetsOf = (text: string): string => Buffer.from(text).toString('latin1')

const OPAQUE = [
  'text/plain',
  'Text/PLAIN; Charset=UTF-8',
  'text/plain;charset="utf-8";  x=Y',
  'APPLICATION/X-Odd',
  'application/json',
  'application/json; charset=utf-8',
  `${PRIMITIVE_MEDIA_TYPE}p`,
  `${PRIMITIVE_MEDIA_TYPE}2`,
  `${PRIMITIVE_MEDIA_TYPE} x`,
  `${PRIMITIVE_MEDIA_TYPE}, text/plain`,
  `${PRIMITIVE_MEDIA_TYPE}/`,
  `x${PRIMITIVE_MEDIA_TYPE}`,
  `;${PRIMITIVE_MEDIA_TYPE}`,
  'application/vnd.service.value',
  'application/vnd.fluiddb.value+json',
  'multipart/form-data; boundary=----x',
  '*/*',
  ';',
  ',',
  '"',
  '%0d%0aX-Evil: 1',
  '<script>alert(1)</script>',
  "'; DROP TABLE tags; --",
  '__proto__',
  'text/html\tx',
  `text/${'x'.repeat(1019)}`,
]

describe('an opaque value', () => {
  test.each(OPAQUE)('keeps its content type %j', async (type) => {
    expect((await put(type, '"a"')).status).toBe(204)
    for (const method of ['GET', 'HEAD']) {
      const answer = await setting().service.ok(method, VALUE)
      expect(answer.headers['content-type']).toBe(type)
      expect(answer.headers['content-length']).toBe('3')
      expect(answer.headers['x-service-type']).toBeUndefined()
      expect(answer.body.toString()).toBe(method === 'HEAD' ? '' : '"a"')
    }
    const query = { query: 'service/about = "typed"', tag: 'alice/books/plain' }
    const { results } = (await setting().service.ok('GET', '/values', { query })).json() as {
      results: { id: Record<string, object> }
    }
    expect(Object.values(results.id)).toEqual([
      { 'alice/books/plain': { 'value-type': type, size: 3, 'updated-at': expect.any(String) as unknown } },
    ])
  })

  test.each([octetsOf('text/größe; name="€"'), 'text/\xe4\xff\x80', octetsOf('\u{1f600}')])(
    'keeps octets above ASCII in its content type: %j',
    async (type) => {
      expect((await put(type, 'x')).status).toBe(204)
      const { headers } = await setting().service.ok('GET', VALUE)
      expect(headers['content-type']).toBe(type)
    },
  )

  test('with a text type may hold octets that are not UTF-8', async () => {
    const octets = '\xff\x00\xc0\xaf\r\n'
    expect((await put('text/plain; charset=utf-8', octets)).status).toBe(204)
    expect((await setting().service.ok('GET', VALUE)).body.toString('latin1')).toBe(octets)
  })
})

describe('the content type of an opaque value has at most 1,024 octets', () => {
  const ofLength = (octets: number, filler = 'x'): string => 'text/plain; x='.padEnd(octets, filler)
  const viaJsonp = (type: string): Promise<Answer> =>
    setting().service.request('GET', VALUE, {
      as: 'alice',
      query: { callback: 'f', verb: 'PUT', payload: '9', 'payload-length': '1', 'payload-type': type },
    })

  test.each(['x', '\xe4'])('of %s', async (filler) => {
    const longest = ofLength(1_024, filler)
    expect((await put(longest, '9')).status).toBe(204)
    expect((await viaJsonp(longest)).status).toBe(200)
    const { etag, 'content-type': stored } = (await setting().service.ok('GET', VALUE)).headers
    expect(stored).toBe(longest)
    const longer = ofLength(1_025, filler)
    for (const refused of [await put(longer, '9'), await viaJsonp(longer)]) {
      expect([refused.status, refused.error]).toEqual([400, 'UnknownContentType'])
    }
    expect((await setting().service.ok('GET', VALUE)).headers.etag).toBe(etag)
  })

  test('which does not bound the type of a primitive one, as that is not stored', async () => {
    expect((await put(`${PRIMITIVE_MEDIA_TYPE}; ${'x'.repeat(2_000)}`, '9')).status).toBe(204)
  })
})

const NOTICE =
  'stored as an opaque value, which queries cannot find: ' +
  'send JSON as application/vnd.service.value+json to store a primitive value'

describe('a write says that a value is opaque which was probably meant to be primitive', () => {
  const noticeOf = async (path: string, type: string): Promise<unknown> => {
    const headers = { 'content-type': type }
    const answer = await setting().service.ok('PUT', path, { as: 'alice', body: '9', headers })
    return [answer.status, answer.headers['x-service-message']]
  }

  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/vnd.fluiddb.value+json',
    'Application/VND.FluidDB.Value+JSON; charset=utf-8',
    'application/vnd.service.values+json',
    `${PRIMITIVE_MEDIA_TYPE}2`,
    `${PRIMITIVE_MEDIA_TYPE}-seq; x=y`,
    `${PRIMITIVE_MEDIA_TYPE}, application/json`,
    'json',
    'text; charset=utf-8',
    ';',
  ])('of the type %s', async (type) => {
    expect(await noticeOf(VALUE, type)).toEqual([204, NOTICE])
    expect(await noticeOf(`/objects/${THING}/alice/books/plain`, type)).toEqual([204, NOTICE])
  })

  test('also through JSONP', async () => {
    const query = {
      callback: 'f',
      verb: 'PUT',
      payload: '9',
      'payload-length': '1',
      'payload-type': 'text/json',
    }
    const answer = await setting().service.ok('GET', VALUE, { as: 'alice', query })
    expect([answer.status, answer.headers['x-service-message']]).toEqual([200, NOTICE])
  })

  const others = [
    'application/vnd.service.object+json',
    'application/vnd.example.org.value+json',
    'application/vnd.service.value+xml',
    'application/vnd..value+json',
    'text/vnd.service.value+json',
    `x${PRIMITIVE_MEDIA_TYPE}`,
    'text/html; x=application/json',
    '*/*',
  ]

  test.each([PRIMITIVE_MEDIA_TYPE, 'application/json5', 'application/ld+json', 'text/plain', ...others])(
    'but not of the type %s',
    async (type) => {
      expect(await noticeOf(VALUE, type)).toEqual([204, undefined])
    },
  )
})

describe('a primitive value', () => {
  const types = [
    '',
    ';',
    '; charset=utf-8',
    ' ; charset=utf-8',
    ';charset=nonsense',
    '\t;x',
    ';;;"',
    '; q="',
    '   ',
  ]

  test.each(types)('has its media type, followed by %j', async (rest) => {
    const answer = await put(`${PRIMITIVE_MEDIA_TYPE}${rest}`, octetsOf('"é"'))
    expect(answer.status).toBe(204)
    const read = await setting().service.ok('GET', VALUE)
    expect(read.headers['content-type']).toBe(PRIMITIVE_MEDIA_TYPE)
    expect([read.headers['x-service-type'], read.json()]).toEqual(['string', 'é'])
  })

  test('is UTF-8, whatever charset is given', async () => {
    const answer = await put(`${PRIMITIVE_MEDIA_TYPE}; charset=iso-8859-1`, '"\xe9"')
    expect([answer.status, answer.error]).toEqual([400, 'MalformedPayload'])
  })

  test.each([
    ['int', ' 9007199254740993\n', '9007199254740993'],
    ['int', '-9223372036854775808', '-9223372036854775808'],
    ['float', '5.0', '5.0'],
    ['float', '1e2', '100.0'],
    ['boolean', 'true', 'true'],
    ['null', '\tnull', 'null'],
    ['string', '"\\u00e9\\/"', octetsOf('"é/"')],
    ['list-of-strings', '[ "b" , "a","a" ]', '["b","a","a"]'],
    ['list-of-strings', '[]', '[]'],
  ])('of the type %s comes back in canonical form: %j', async (type, text, canonical) => {
    expect((await put(PRIMITIVE_MEDIA_TYPE, text)).status).toBe(204)
    const read = await setting().service.ok('GET', VALUE)
    expect([read.headers['x-service-type'], read.body.toString('latin1')]).toEqual([type, canonical])
    const head = await setting().service.ok('HEAD', VALUE)
    expect(head.headers['x-service-type']).toBe(type)
    expect(head.headers['content-length']).toBe(String(read.body.length))
  })
})
