/** CORS on every kind of answer, pre-flight requests to every path, and the policy file for Flash. */
import { describe, expect, jest, test } from '@jest/globals'
import { startService, type Answer } from '../support/service.ts'
import { METHODS_BY_PATH, OPERATION_NAMES, PATHS, sampleOf, targetOf } from '../support/samples.ts'
import { ask, exchangeOne, open, rawRequest, useService, type Parts, type RawAnswer } from './raw-requests.ts'

const FACTS = [
  'Action',
  'Argument',
  'Category',
  'Fieldname',
  'Message',
  'Name',
  'Path',
  'Query',
  'Rangetype',
  'Type',
]
const EXPOSED = [
  'ETag',
  'Last-Modified',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'X-Service-Error-Class',
  'X-Service-Request-Id',
  ...FACTS.map((fact) => `X-Service-${fact}`),
]
const SENDABLE = [
  ...['Accept', 'Authorization', 'Content-Type', 'Content-MD5', 'If-Match', 'If-None-Match'],
  ...[
    'traceparent',
    'tracestate',
    'X-Requested-With',
    'Cache-Control',
    'Idempotency-Key',
    'Content-Encoding',
    'Prefer',
  ],
]
const ORIGIN = 'https://page.example'
const json = { 'content-type': 'application/json' }

const listOf = (header: unknown): string[] => String(header).split(', ').sort()

function expectOpen({ headers }: Answer | RawAnswer): void {
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(headers['access-control-allow-credentials']).toBeUndefined()
  expect(listOf(headers['access-control-expose-headers'])).toEqual(expect.arrayContaining(EXPOSED))
}

/** The same request from a page of another origin. */
const fromPage = (parts: Parts = {}): Parts => ({ ...parts, headers: { ...parts.headers, origin: ORIGIN } })

describe('without trusted origins, any page may read', () => {
  const setting = useService({ MAX_BODY_BYTES: '1000', MAX_URL_BYTES: '2000', MAX_HEADER_BYTES: '8000' })

  test.each(OPERATION_NAMES)('the answer of %s', async (name) => {
    const sample = await sampleOf(setting().service, name)
    const { as, body, type } = sample
    const answer = await ask(setting().url, sample.method, targetOf(sample), {
      ...(as !== undefined && { as }),
      ...(body !== undefined && { body }),
      headers: { origin: ORIGIN, ...(type !== undefined && { 'content-type': type }) },
    })
    expect(answer.status).toBe(sample.status)
    expectOpen(answer)
  })

  const errors: [status: number, errorClass: string | undefined, request: string, parts?: Parts][] = [
    [400, 'MissingArgument', 'GET /objects'],
    [400, 'InvalidUTF8Argument', 'GET /about/%FF'],
    [400, 'MalformedPayload', 'POST /objects', { as: 'alice', body: '{', headers: json }],
    [400, 'UnknownAcceptType', 'GET /users/alice', { headers: { accept: 'text/html' } }],
    [401, undefined, 'GET /users/alice', { as: 'alice', password: 'wrong' }],
    [401, 'TUnauthorized', 'POST /objects'],
    [401, 'TPathPermissionDenied', 'DELETE /tags/alice/books/rating'],
    [404, 'NoSuchResource', 'GET /nowhere'],
    [404, 'TNoSuchUser', 'GET /users/nobody'],
    [404, 'TNoSuchUser', 'HEAD /users/nobody'],
    [404, 'NoSuchResource', 'OPTIONS /nowhere'],
    [405, 'UnsupportedMethod', 'PATCH /users/alice'],
    [406, 'NotAcceptable', 'GET /about/book-1/alice/books/cover', { headers: { accept: 'text/html' } }],
    [411, 'NoContentLengthHeader', 'POST /objects', { headers: { 'transfer-encoding': 'chunked' } }],
    [412, 'TTagAlreadyExists', 'POST /tags/alice/books', { as: 'alice', headers: json, body: '' }],
    [413, 'PayloadTooLarge', 'PUT /values', { as: 'alice', body: 'x'.repeat(1001) }],
    [414, 'UriTooLong', `GET /about/${'x'.repeat(2001)}`],
  ]

  test.each(errors)('the error %i %s', async (status, errorClass, line, parts = {}) => {
    const [method = '', target = ''] = line.split(' ')
    const body = JSON.stringify({ name: 'rating', description: 'd', indexed: true })
    const sent = fromPage(parts.body === '' ? { ...parts, body } : parts)
    const answer = await ask(setting().url, method, target, sent)
    expect([answer.status, answer.error]).toEqual([status, errorClass])
    expectOpen(answer)
  })

  test('a 304', async () => {
    const path = '/about/book-1/alice/books/rating'
    const { etag = '' } = (await ask(setting().url, 'GET', path)).headers
    const answer = await ask(setting().url, 'GET', path, fromPage({ headers: { 'if-none-match': etag } }))
    expect(answer.status).toBe(304)
    expectOpen(answer)
  })

  test('a 429', async () => {
    const wrong = { as: 'nobody', password: 'wrong' }
    for (let i = 0; i < 10; i++) await ask(setting().url, 'GET', '/users/alice', wrong)
    const answer = await ask(setting().url, 'GET', '/users/alice', fromPage(wrong))
    expect([answer.status, answer.error]).toEqual([429, 'TooManyRequests'])
    expectOpen(answer)
    expect(listOf(answer.headers['access-control-expose-headers'])).toContain('Retry-After')
  })

  test('a 431', async () => {
    const answer = await exchangeOne(
      setting().url,
      rawRequest('GET /users/alice', [`X-Long: ${'x'.repeat(9000)}`]),
    )
    expect([answer.status, answer.error]).toEqual([431, 'RequestHeadersTooLarge'])
    expectOpen(answer)
  })

  test('the answer to what is not HTTP', async () => {
    const answer = await exchangeOne(setting().url, 'nonsense\r\n\r\n')
    expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
    expectOpen(answer)
  })

  test('a 500', async () => {
    const broken = await startService()
    const logged: unknown[] = []
    const log = jest.spyOn(console, 'error').mockImplementation((line) => logged.push(line))
    const read = jest.spyOn(broken.store, 'read').mockRejectedValue(new Error('secret detail'))
    const answer = await ask(broken.url, 'GET', '/namespaces/alice', fromPage())
    log.mockRestore()
    read.mockRestore()
    await broken.stop()
    expect([answer.status, answer.error, answer.body.length]).toEqual([500, 'InternalServerError', 0])
    expect(answer.headers['x-service-message']).toMatch(/X-Service-Request-Id/)
    expectOpen(answer)
    expect(JSON.stringify(answer.headers)).not.toContain('secret')
    expect(String(logged[0])).toContain(String(answer.headers['x-service-request-id']))
  })

  describe('the answer to OPTIONS', () => {
    test.each([...METHODS_BY_PATH])('that is a pre-flight request to %s', async (template, methods) => {
      for (const wanted of ['GET', 'PUT', 'PATCH']) {
        const answer = await ask(setting().url, 'OPTIONS', PATHS.get(template) ?? '', {
          headers: {
            origin: ORIGIN,
            'access-control-request-method': wanted,
            'access-control-request-headers': 'authorization,content-type',
          },
        })
        const { headers } = answer
        expect([answer.status, answer.body.length]).toEqual([204, 0])
        expect(listOf(headers.allow)).toEqual([...methods, 'OPTIONS'].sort())
        const allowed = listOf(headers['access-control-allow-methods'])
        expect(allowed.filter((method) => method !== 'OPTIONS')).toEqual([...methods].sort())
        expect(listOf(headers['access-control-allow-headers'])).toEqual([...SENDABLE].sort())
        expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0)
        expect(headers['access-control-allow-origin']).toBe('*')
        expect(headers['content-type']).toBeUndefined()
      }
    })

    test.each([...METHODS_BY_PATH])('without Origin to %s', async (template, methods) => {
      const { status, headers, body } = await ask(setting().url, 'OPTIONS', PATHS.get(template) ?? '')
      expect([status, body.length]).toEqual([204, 0])
      expect(listOf(headers.allow)).toEqual([...methods, 'OPTIONS'].sort())
      expect(headers['access-control-allow-methods']).toBeUndefined()
    })

    test('to an unknown path', async () => {
      const answer = await ask(setting().url, 'OPTIONS', '/nowhere', { headers: { origin: ORIGIN } })
      expect([answer.status, answer.error]).toEqual([404, 'NoSuchResource'])
      expect(answer.headers['access-control-allow-methods']).toBeUndefined()
    })

    test('with wrong credentials', async () => {
      const answer = await ask(setting().url, 'OPTIONS', '/objects', { as: 'bob', password: 'wrong' })
      expect([answer.status, answer.error]).toEqual([401, undefined])
    })

    test('with the target *, which means the service, and /*, which is a path', async () => {
      const star = await exchangeOne(setting().url, rawRequest('OPTIONS *'))
      expect(star.status).toBe(204)
      expect(listOf(star.headers.allow)).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])
      const path = await exchangeOne(setting().url, rawRequest('OPTIONS /*'))
      expect([path.status, path.error]).toEqual([404, 'NoSuchResource'])
    })

    test('with a body, after which the connection can be used again', async () => {
      const { url } = setting()
      const first = 'OPTIONS /objects HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc'
      const { closed, socket } = open(url)
      socket.write(first + rawRequest('GET /users/alice'))
      const answers = await closed
      expect(answers.map(({ status }) => status)).toEqual([204, 200])
    })
  })

  describe('crossdomain.xml, which', () => {
    test('lets any domain send any header', async () => {
      const get = await ask(setting().url, 'GET', '/crossdomain.xml', fromPage())
      expect(get.status).toBe(200)
      expect(get.headers['content-type']).toMatch(/^(text\/x-cross-domain-policy|application\/xml|text\/xml)/)
      expect(get.headers['cache-control']).toBe('no-cache')
      expect(get.body.toString()).toMatch(/<allow-access-from domain="\*"[^>]*secure="false"/)
      expect(get.body.toString()).toMatch(/<allow-http-request-headers-from domain="\*" headers="\*"/)
      expectOpen(get)
      const head = await ask(setting().url, 'HEAD', '/crossdomain.xml', fromPage())
      expect([head.status, head.body.length]).toEqual([200, 0])
      expect({ ...head.headers, date: 0 }).toEqual({ ...get.headers, date: 0 })
      expect(get.headers['content-length']).toBe(String(get.body.length))
    })

    test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'])('does not have the method %s', async (method) => {
      const answer = await ask(setting().url, method, '/crossdomain.xml')
      expect([answer.status, answer.error]).toEqual([405, 'UnsupportedMethod'])
      expect(listOf(answer.headers.allow)).toEqual(['GET', 'HEAD', 'OPTIONS'])
    })

    test('answers OPTIONS', async () => {
      const answer = await ask(setting().url, 'OPTIONS', '/crossdomain.xml')
      expect(answer.status).toBe(204)
      expect(listOf(answer.headers.allow)).toEqual(['GET', 'HEAD', 'OPTIONS'])
    })

    test('refuses wrong credentials', async () => {
      const answer = await ask(setting().url, 'GET', '/crossdomain.xml', { as: 'bob', password: 'wrong' })
      expect([answer.status, answer.error]).toEqual([401, undefined])
    })
  })
})

describe('with trusted origins', () => {
  const setting = useService({ CORS_CREDENTIAL_ORIGINS: 'https://a.example, https://b.example:8443' })
  const from = (origin: string | undefined, line = 'GET /users/alice'): Promise<Answer> => {
    const [method = '', target = ''] = line.split(' ')
    return ask(setting().url, method, target, origin === undefined ? {} : { headers: { origin } })
  }
  const granted = ({ headers }: Answer): unknown[] => [
    headers['access-control-allow-origin'],
    headers['access-control-allow-credentials'],
  ]
  const lines = [
    'GET /users/alice',
    'GET /users/nobody',
    'GET /nowhere',
    'OPTIONS /objects',
    'PATCH /objects',
  ]

  test.each(lines)('only those may send credentials: %s', async (line) => {
    for (const origin of ['https://a.example', 'https://b.example:8443']) {
      expect(granted(await from(origin, line))).toEqual([origin, 'true'])
    }
    const others = [
      'https://a.example.evil',
      'http://a.example',
      'https://A.example',
      'https://b.example',
      'null',
    ]
    for (const origin of others) expect(granted(await from(origin, line))).toEqual(['*', undefined])
    expect(granted(await from(undefined, line))).toEqual([undefined, undefined])
  })

  test.each(lines)('answers vary by Origin for caches: %s', async (line) => {
    for (const origin of ['https://a.example', 'https://c.example', undefined]) {
      expect(listOf((await from(origin, line)).headers.vary)).toContain('Origin')
    }
  })

  test('they may read the answer to wrong credentials', async () => {
    const headers = { origin: 'https://a.example' }
    const answer = await ask(setting().url, 'GET', '/users/alice', { as: 'bob', password: 'wrong', headers })
    expect(granted(answer)).toEqual(['https://a.example', 'true'])
  })
})

describe('without an origin', () => {
  const setting = useService()

  test.each(['GET /users/alice', 'GET /docs', 'GET /nowhere', 'OPTIONS /objects', 'PATCH /objects'])(
    'nothing is said to pages, and caches know that it depends on one: %s',
    async (line) => {
      const [method = '', target = ''] = line.split(' ')
      const { headers } = await ask(setting().url, method, target)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      expect(listOf(headers.vary)).toContain('Origin')
      const open = await ask(setting().url, method, target, fromPage())
      expectOpen(open)
      expect(open.headers.vary).toBe(headers.vary)
    },
  )
})
