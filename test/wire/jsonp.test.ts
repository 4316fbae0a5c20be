/** JSONP: every operation by the GET of a script tag, and everything that can be wrong with its arguments. */
import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { THING } from '../support/fixture.ts'
import type { Answer } from '../support/service.ts'
import {
  CONTRACT_OPERATIONS,
  OPERATION_NAMES,
  PAGES,
  sampleOf,
  targetOf,
  type Sample,
} from '../support/samples.ts'
import { ask, useService, type Parts } from './raw-requests.ts'

const setting = useService()
const RATING = '/about/book-1/alice/books/rating'

type Arguments = Readonly<Record<string, string>>

const encoded = (args: Arguments): string => String(new URLSearchParams(args))

const get = (target: string, args: Arguments = {}, parts: Parts = {}): Promise<Answer> =>
  ask(setting().url, 'GET', `${target}${target.includes('?') ? '&' : '?'}${encoded(args)}`, parts)

const put = (args: Arguments): Promise<Answer> =>
  get('/about/jsonp/alice/books/plain', { callback: 'f', verb: 'PUT', ...args }, { as: 'alice' })

/** The JSONP arguments for a sample's method and body. */
const carrying = ({ method, body, type }: Sample, base64 = false): Arguments => {
  const payload = base64 && body !== undefined ? Buffer.from(body).toString('base64') : body
  return {
    verb: method,
    ...(payload !== undefined && {
      payload,
      'payload-length': String(Buffer.byteLength(payload)),
      'payload-type': String(type),
      ...(base64 && { 'payload-encoding': 'base64' }),
    }),
  }
}

const credentials = ({ as }: Sample): Parts => (as === undefined ? {} : { as })

/** The arguments with which a script calls `call`. */
function called(script: string, call: string): unknown[] {
  const calls: unknown[][] = []
  const [head = '', ...rest] = call.split('.').reverse()
  const spy = (...args: unknown[]): number => calls.push(args)
  const scope = rest.reduce<object>((inner, name) => ({ [name]: inner }), { [head]: spy })
  runInNewContext(script, scope)
  expect(calls).toHaveLength(1)
  return JSON.parse(JSON.stringify(calls[0])) as unknown[]
}

function expectScript(answer: Answer): void {
  expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  // A longer script is sent in pieces, before its length is known.
  const whole = answer.body.length <= 256 * 1024
  expect(answer.headers['content-length']).toBe(whole ? String(answer.body.length) : undefined)
  expect(answer.headers['cache-control']).toBe('no-cache')
}

const expectError = (answer: Answer, status: number, errorClass: string, argument?: string): void => {
  expect([answer.status, answer.error, answer.headers['x-service-argument']]).toEqual([
    status,
    errorClass,
    argument,
  ])
  expect([answer.headers['content-length'], answer.body.length]).toEqual(['0', 0])
  expect(answer.headers['content-type']).toBeUndefined()
}

describe('every operation', () => {
  test('has a sample', () => {
    const withoutHead = CONTRACT_OPERATIONS.filter((name) => !name.startsWith('HEAD '))
    expect([...OPERATION_NAMES].sort()).toEqual(withoutHead.sort())
  })

  const wrapped = OPERATION_NAMES.filter((name) => !(name in PAGES))

  test.each(wrapped)('can be called with callback: %s', async (name) => {
    const sample = await sampleOf(setting().service, name)
    const args = { callback: 'page.on_answer', ...carrying(sample) }
    const answer = await get(targetOf(sample), args, credentials(sample))
    expect(answer.status).toBe(sample.status === 204 ? 200 : sample.status)
    expectScript(answer)
    const [argument, ...others] = called(answer.body.toString(), 'page.on_answer')
    expect(others).toEqual([])
    if (sample.status === 204) {
      expect(answer.body.toString()).toBe('/**/page.on_answer()')
    } else if (sample.method === 'GET') {
      const plain = await ask(setting().url, 'GET', targetOf(sample), credentials(sample))
      expect(argument).toEqual(plain.json())
    } else {
      expect(answer.headers.location).toBe((argument as { URI: string }).URI)
    }
  })

  test.each(OPERATION_NAMES)('can be called with verb alone: %s', async (name) => {
    const sample = await sampleOf(setting().service, name)
    const answer = await get(targetOf(sample), carrying(sample, true), credentials(sample))
    expect(answer.status).toBe(sample.status)
    const type = /\{tag_path\}$/.test(name) && !name.includes('permissions') && !name.includes(' /tags')
    const expected = PAGES[name] ?? (type ? PRIMITIVE_MEDIA_TYPE : 'application/json')
    expect(answer.headers['content-type']).toBe(sample.status === 204 ? undefined : expected)
  })

  test.each(Object.keys(PAGES))('cannot be wrapped if its answer is not JSON: %s', async (name) => {
    const sample = await sampleOf(setting().service, name)
    for (const verb of ['GET', 'HEAD']) {
      const answer = await get(targetOf(sample), { callback: 'f', verb }, credentials(sample))
      expect([answer.status, answer.error]).toEqual([400, 'UnwrappableBlob'])
    }
  })

  test.each(wrapped.filter((name) => name.startsWith('GET ')))('can be a HEAD: %s', async (name) => {
    const sample = { ...(await sampleOf(setting().service, name)), method: 'HEAD' }
    const script = await get(targetOf(sample), { callback: 'f', verb: 'HEAD' }, credentials(sample))
    expect([script.status, script.body.toString()]).toEqual([200, '/**/f()'])
    expectScript(script)
    const plain = await get(targetOf(sample), { verb: 'HEAD' }, credentials(sample))
    expect([plain.status, plain.body.length]).toEqual([200, 0])
  })
})

describe('the payload', () => {
  const texts = [
    '"größer & = + % # ? \u2028 \u{1f600}"',
    '["</script>", "\\u2029"]',
    '9007199254740993',
    '5.0',
    'null',
  ]

  test.each(texts)('is stored and read back: %s', async (text) => {
    const payload = { payload: text, 'payload-length': String(Buffer.byteLength(text)) }
    expect((await put({ ...payload, 'payload-type': `${PRIMITIVE_MEDIA_TYPE}; charset=utf-8` })).status).toBe(
      200,
    )
    const { body } = await setting().service.ok('GET', '/about/jsonp/alice/books/plain')
    expect(JSON.parse(body.toString())).toEqual(JSON.parse(text))
    const wrapped = await get('/about/jsonp/alice/books/plain', { callback: 'f' })
    expect(called(wrapped.body.toString(), 'f')).toEqual([JSON.parse(text)])
    expect(wrapped.body.toString()).not.toMatch(/[\u2028\u2029]/)
  })

  test('that is long comes back whole, with line separators escaped', async () => {
    const text = '\u2028größer\u2029'.repeat(60_000)
    const { service } = setting()
    const headers = { 'content-type': PRIMITIVE_MEDIA_TYPE }
    await service.ok('PUT', '/about/jsonp/alice/books/plain', {
      as: 'alice',
      body: JSON.stringify(text),
      headers,
    })
    const wrapped = await get('/about/jsonp/alice/books/plain', { callback: 'f' })
    expect(called(wrapped.body.toString(), 'f')).toEqual([text])
    expect(wrapped.body.toString()).not.toMatch(/[\u2028\u2029]/)
  })

  test('can be octets in base64, with their content type', async () => {
    const payload = Buffer.from([0, 255, 10, 13]).toString('base64')
    const args = { payload, 'payload-length': '8', 'payload-type': 'Image/PNG', 'payload-encoding': 'base64' }
    expect((await put(args)).status).toBe(200)
    const answer = await setting().service.ok('GET', '/about/jsonp/alice/books/plain')
    expect(answer.headers['content-type']).toBe('Image/PNG')
    expect([...answer.body]).toEqual([0, 255, 10, 13])
  })

  test('needs a verb, in any letter case', async () => {
    const answer = await get(RATING, { verb: 'head' })
    expect([answer.status, answer.body.length]).toEqual([200, 0])
  })

  test('may be missing or empty where it is optional', async () => {
    const made = await get('/objects', { callback: 'f', verb: 'POST' }, { as: 'alice' })
    const empty = await get(
      '/objects',
      { callback: 'f', verb: 'POST', payload: '', 'payload-length': '0' },
      { as: 'alice' },
    )
    expect([made.status, empty.status]).toEqual([201, 201])
  })

  test('has a content type without the blanks around it, as in a header', async () => {
    const payload = { payload: '5', 'payload-length': '1' }
    expect((await put({ ...payload, 'payload-type': ' \ttext/plain; q="\xe9" \t' })).status).toBe(200)
    const { headers } = await setting().service.ok('GET', '/about/jsonp/alice/books/plain')
    expect(headers['content-type']).toBe('text/plain; q="\xe9"')
    expectError(await put({ ...payload, 'payload-type': ' ' }), 400, 'NoContentTypeHeader')
  })

  test.each(['text/html\r\nSet-Cookie: a=b', 'text/html\n', '\r', 'text/€', 'a\0', '\x7f', '\u2028'])(
    'is refused with a content type that no header can hold: %j',
    async (type) => {
      const args = { verb: 'PUT', payload: '5', 'payload-length': '1', 'payload-type': type }
      for (const target of ['/about/book-1/alice/books/rating', `/objects/${THING}/alice/books/rating`]) {
        const { etag } = (await setting().service.ok('GET', target)).headers
        expectError(await get(target, args, { as: 'alice' }), 400, 'UnknownContentType')
        expect((await setting().service.ok('GET', target)).headers.etag).toBe(etag)
      }
    },
  )

  test('is checked against Content-MD5', async () => {
    const md5 = (text: string): string => createHash('md5').update(text).digest('base64')
    const send = (checksum: string): Promise<Answer> =>
      get(
        '/about/jsonp/alice/books/plain',
        { verb: 'PUT', payload: '5', 'payload-length': '1', 'payload-type': PRIMITIVE_MEDIA_TYPE },
        { as: 'alice', headers: { 'content-md5': checksum } },
      )
    expect((await send(md5('5'))).status).toBe(204)
    expectError(await send(md5('6')), 412, 'ContentChecksumMismatch')
  })
})

describe('callback', () => {
  const most = `${'a'.repeat(63)}.${'b'.repeat(64)}`
  const good = [
    'f',
    '$',
    '_',
    'a.b.c',
    '$a_1.b2',
    'jQuery3610_17.x',
    'é.ñandú',
    'a.if',
    most,
    '𝒳'.repeat(128),
  ]

  test.each(good)('may be %s', async (callback) => {
    const answer = await get('/users/alice', { callback })
    expect(answer.status).toBe(200)
    expectScript(answer)
    expect(answer.body.toString().startsWith(`/**/${callback}({"id":`)).toBe(true)
  })

  const words = ['if', 'function', 'new', 'delete', 'typeof', 'import', 'null', 'class', 'return.x']
  const bad = [
    '',
    ' ',
    '1a',
    'a-b',
    'a.',
    '.a',
    'a..b',
    'a b',
    ' a',
    'a ',
    'a(b)',
    'a[0]',
    "a['b']",
    'alert(1)//',
  ]
  const worse = [
    '<script>',
    'a;b',
    'a=b',
    'a\n',
    'a\0',
    'a\u2028',
    'a,b',
    'a+b',
    '`a`',
    `${most}b`,
    'x'.repeat(9000),
  ]

  test.each([...bad, ...worse, ...words])('may not be %j', async (callback) => {
    expectError(await get('/users/alice', { callback }), 400, 'TBadArgument', 'callback')
  })

  test('may not be given twice', async () => {
    const answer = await get('/users/alice?callback=a&callback=b')
    expectError(answer, 400, 'MultipleArgumentValues', 'callback')
  })

  test('must be UTF-8', async () => {
    expectError(await get('/users/alice?callback=%FF'), 400, 'InvalidUTF8Argument', 'callback')
  })

  test('is ignored by other methods', async () => {
    const answer = await ask(setting().url, 'PUT', '/namespaces/alice/books?callback=f&verb=DELETE', {
      as: 'alice',
      body: '{"description":"d"}',
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.body.length]).toEqual([204, 0])
  })
})

describe('verb', () => {
  test.each(['PATCH', 'OPTIONS', 'TRACE', '', 'GET ', 'P\u0000UT', 'constructor'])(
    'may not be %j',
    async (verb) => {
      expectError(await get('/users/alice', { verb }), 400, 'TBadArgument', 'verb')
      expectError(await get('/users/alice', { callback: 'f', verb }), 400, 'TBadArgument', 'verb')
    },
  )

  test('may not be a method that the path lacks', async () => {
    const answer = await get('/users/alice', { callback: 'f', verb: 'POST' })
    expectError(answer, 405, 'UnsupportedMethod')
    expect(answer.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PUT')
  })

  test('does not matter for an unknown path', async () => {
    expectError(await get('/nowhere', { callback: 'f', verb: 'PUT' }), 404, 'NoSuchResource')
  })
})

describe('a payload', () => {
  const five = { payload: '5', 'payload-length': '1', 'payload-type': PRIMITIVE_MEDIA_TYPE }
  const without = (name: keyof typeof five): Arguments =>
    Object.fromEntries(Object.entries(five).filter(([key]) => key !== name))
  const euro = { ...five, payload: '"€"' }
  const rows: [when: string, args: Arguments, errorClass: string, argument?: string][] = [
    ['without a length', without('payload-length'), 'ContentLengthMismatch'],
    ['missing, with a length', without('payload'), 'ContentLengthMismatch'],
    ['with too short a length', { ...five, payload: '55' }, 'ContentLengthMismatch'],
    ['with too long a length', { ...five, 'payload-length': '2' }, 'ContentLengthMismatch'],
    [
      'with its length in characters instead of octets',
      { ...euro, 'payload-length': '3' },
      'ContentLengthMismatch',
    ],
    ['with a length in another form', { ...five, 'payload-length': '01' }, 'ContentLengthMismatch'],
    ['with a negative length', { ...five, 'payload-length': '-1' }, 'ContentLengthMismatch'],
    ['with an empty length', { ...five, 'payload-length': '' }, 'ContentLengthMismatch'],
    ['without a type', without('payload-type'), 'NoContentTypeHeader'],
    ['in an unknown encoding', { ...five, 'payload-encoding': 'gzip' }, 'UnknownContentEncoding'],
    ['in malformed base64', { ...five, 'payload-encoding': 'base64' }, 'MalformedPayload'],
    ['of no octets', { ...five, payload: '', 'payload-length': '0' }, 'MissingPayload'],
    ['that is an object', { ...five, payload: '{}', 'payload-length': '2' }, 'UnsupportedJSONType'],
  ]

  test.each(rows)('is refused: %s', async (_when, args, errorClass) => {
    expectError(await put(args), 400, errorClass)
  })

  test('is missed where one is required', async () => {
    expectError(await put({}), 411, 'NoContentLengthHeader')
  })

  test('may have the encoding identity', async () => {
    expect((await put({ ...five, 'payload-encoding': 'identity' })).status).toBe(200)
  })

  test.each(['payload', 'payload-length', 'payload-type', 'payload-encoding', 'verb'])(
    'is refused if an argument is given twice: %s',
    async (name) => {
      const target = `/about/jsonp/alice/books/plain?callback=f&${name}=PUT&${name}=PUT`
      expectError(await get(target), 400, 'MultipleArgumentValues', name)
    },
  )

  test('is refused where none is defined', async () => {
    const answer = await get('/users/alice', { callback: 'f', ...five })
    expectError(answer, 400, 'UnexpectedContentLengthHeader')
  })

  test('is refused with a type that the operation does not take', async () => {
    const answer = await get(
      '/namespaces/alice/books',
      { ...five, verb: 'PUT', callback: 'f' },
      { as: 'alice' },
    )
    expectError(answer, 400, 'UnknownContentType')
  })
})

describe('errors are not wrapped', () => {
  const rows: [path: string, status: number, errorClass: string][] = [
    ['/users/nobody', 404, 'TNoSuchUser'],
    ['/objects', 400, 'MissingArgument'],
    ['/objects?query=has', 400, 'TParseError'],
    ['/about/book-1/alice/books/secret', 401, 'TPathPermissionDenied'],
    ['/about/%FF', 400, 'InvalidUTF8Argument'],
    ['/nowhere', 404, 'NoSuchResource'],
  ]

  test.each(rows)('from %s', async (path, status, errorClass) => {
    const answer = await get(path, { callback: 'f' })
    expect([answer.status, answer.error, answer.body.length]).toEqual([status, errorClass, 0])
    expect(answer.headers['content-type']).toBeUndefined()
  })

  test.each(['GET', 'HEAD'])('an opaque value, by %s, by its object or what that is about', async (verb) => {
    const { id } = (await ask(setting().url, 'GET', '/about/book-1')).json() as { id: string }
    for (const object of [`/objects/${id}`, '/about/book-1']) {
      const answer = await get(`${object}/alice/books/cover`, { callback: 'f', verb })
      expectError(answer, 400, 'UnwrappableBlob')
    }
  })

  test('opaque values can be read without a callback', async () => {
    const answer = await get('/about/book-1/alice/books/cover', { verb: 'GET' })
    expect([answer.status, answer.body.toString()]).toEqual([200, 'not really'])
  })

  test('for wrong credentials', async () => {
    const answer = await get('/users/alice', { callback: 'f' }, { as: 'alice', password: 'wrong' })
    expect([answer.status, answer.error, answer.body.length]).toEqual([401, undefined, 0])
  })
})

describe('where the operator lets JSONP only read', () => {
  const reading = useService({ JSONP: 'read' })
  const args = { payload: '5', 'payload-length': '1', 'payload-type': PRIMITIVE_MEDIA_TYPE }
  const send = (target: string, more: Arguments): Promise<Answer> =>
    ask(reading().url, 'GET', `${target}?${encoded(more)}`, { as: 'alice' })

  test.each(['GET', 'HEAD', 'get', undefined])('it reads with the verb %s', async (verb) => {
    const answer = await send(RATING, { callback: 'f', ...(verb !== undefined && { verb }) })
    expect([answer.status, answer.body.toString()]).toEqual([200, verb === 'HEAD' ? '/**/f()' : '/**/f(5)'])
  })

  test.each(['PUT', 'DELETE', 'put'])('405 for the verb %s, with or without a callback', async (verb) => {
    for (const callback of [{}, { callback: 'f' }]) {
      const answer = await send(RATING, { ...callback, verb, ...(verb !== 'DELETE' && args) })
      expectError(answer, 405, 'UnsupportedMethod')
      expect(answer.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PUT')
    }
    expect((await reading().service.ok('GET', RATING)).body.toString()).toBe('5')
  })

  test('an unknown path and an unknown verb are what they were', async () => {
    expectError(await send('/nowhere', { verb: 'PUT' }), 404, 'NoSuchResource')
    expectError(await send(RATING, { verb: 'PATCH' }), 400, 'TBadArgument', 'verb')
  })

  test('PUT itself works', async () => {
    await reading().service.ok('PUT', RATING, { as: 'alice', primitive: '6' })
  })
})

describe('where the operator switches JSONP off', () => {
  const off = useService({ JSONP: 'off' })

  test.each(['PUT', 'DELETE', 'HEAD', 'nonsense'])('its arguments are ignored: %s', async (verb) => {
    const target = `${RATING}?callback=1(&callback=2&payload=7&payload-length=x&payload-type=y&verb=${verb}`
    const answer = await ask(off().url, 'GET', target, { as: 'alice' })
    expect([answer.status, answer.headers['content-type'], answer.body.toString()]).toEqual([
      200,
      PRIMITIVE_MEDIA_TYPE,
      '5',
    ])
  })
})

test('arguments of the operation are read beside those of JSONP', async () => {
  const answer = await get(`/objects/${THING}?showAbout=TRUE&_=123&__proto__=1`, { callback: 'f' })
  expect(called(answer.body.toString(), 'f')).toEqual([{ tagPaths: ['alice/books/rating'], about: null }])
})
