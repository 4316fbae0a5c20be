/**
 * An application's calls, written from the contract alone as a front-end team would, against both the mock and the
 * service. The mock stores nothing, so where it cannot know which answer is right, `Prefer` asks for it; the service
 * ignores that header. The tests check only what both can answer.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startBase, type Base } from './bases.ts'
import { ask, failure, JSON_TYPE, jsonOf, nothing, typeOf, UUID, VALUE, type Call } from './calls.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** What each jest project can start: the mock needs no database, so it is tested once. */
const { database } = globalThis as { database?: string }
const names = database === 'mysql' ? (['service'] as const) : (['mock', 'service'] as const)

describe.each(names)('an application on the %s', (name) => {
  let base: Base
  beforeAll(async () => {
    base = await startBase(name)
  })
  afterAll(() => base.stop())

  const call = (method: string, path: string, options: Call = {}): Promise<Response> =>
    ask(base, method, path, options)

  describe('creates', () => {
    test.each([
      ['a namespace', '/namespaces/alice/books', 'alice', { name: 'wished', description: 'Books' }],
      ['a tag', '/tags/alice/books', 'alice', { name: 'pages', description: 'How many', indexed: false }],
      ['an object', '/objects', 'alice', { about: 'book:Persuasion' }],
      ['an object about nothing', '/objects', 'alice', undefined],
      ['an object by its about value', '/about/book:Persuasion', 'alice', undefined],
      ['a user', '/users', 'service', { username: 'dinah', password: 'a cat of few words' }],
    ] as const)('%s and finds it at its Location', async (_, path, as, json) => {
      const response = await call('POST', path, { as, json })
      expect([response.status, typeOf(response)]).toEqual([201, JSON_TYPE])
      const created = (await response.json()) as { URI: string; id: string }
      expect(created).toEqual({ URI: response.headers.get('location'), id: expect.stringMatching(UUID) })
      expect(new URL(created.URI).origin).toBe(base.url)
      await jsonOf(await call('GET', new URL(created.URI).pathname, { as: 'alice' }))
    })
  })

  describe('reads', () => {
    test('an object by its about value, and the same one by its id', async () => {
      const object = (await jsonOf(await call('GET', '/about/book:Dune', { as: 'alice' }))) as {
        id: string
        tagPaths: string[]
      }
      expect(object.id).toMatch(UUID)
      expect(object.tagPaths).toContain('alice/books/rating')
      const path = `/objects/${object.id}?showAbout=true`
      const byId = await jsonOf(await call('GET', path, { as: 'alice', prefer: 'example=about' }))
      expect(byId).toEqual({ tagPaths: object.tagPaths, about: 'book:Dune' })
    })

    test.each([
      ['int', 'alice/books/rating', 9],
      ['string', 'alice/comment', 'It begins slowly, and then one cannot stop.'],
      ['list-of-strings', 'alice/books/genres', ['science fiction', 'classic']],
    ])('a value of the type %s', async (type, tag, value) => {
      const path = `/about/book:Dune/${tag}`
      const response = await call('GET', path, { as: 'alice', prefer: `example=${type}` })
      expect([response.status, typeOf(response)]).toEqual([200, VALUE])
      expect(response.headers.get('x-service-type')).toBe(type)
      expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/)
      expect(Date.parse(response.headers.get('last-modified') ?? '')).not.toBeNaN()
      expect(await response.json()).toEqual(value)
    })

    test('a picture, which has a content type and no X-Service-Type', async () => {
      const response = await call('GET', '/about/book:Dune/alice/picture', {
        as: 'alice',
        headers: { accept: 'image/*' },
      })
      expect([response.status, typeOf(response)]).toEqual([200, 'image/svg+xml'])
      expect(response.headers.has('x-service-type')).toBe(false)
      expect(await response.text()).toMatch(/^<svg /)
    })

    test('a value again only if it has changed', async () => {
      const path = '/about/book:Dune/alice/books/rating'
      const etag = (await call('GET', path, { as: 'alice' })).headers.get('etag') ?? ''
      const again = await call('GET', path, { as: 'alice', headers: { 'if-none-match': etag } })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
    })

    test('a path with literal slashes and with %2F', async () => {
      const ids = []
      for (const path of [
        '/tags/alice/books/rating',
        '/tags/alice%2Fbooks%2Frating',
        '/tags/alice/books%2Frating/',
      ]) {
        ids.push(((await jsonOf(await call('GET', path))) as { id: string }).id)
      }
      expect(new Set(ids).size).toBe(1)
    })

    test.each([
      ['a namespace', '/namespaces/alice/books?returnTags=TRUE&returnNamespaces=1&returnDescription=true'],
      ['a tag', '/tags/alice/books/rating?returnDescription=true'],
    ])('everything about %s', async (_, path) => {
      const all = await jsonOf(await call('GET', path, { as: 'alice', prefer: 'example=full' }))
      expect(all).toMatchObject({ id: expect.stringMatching(UUID), description: expect.any(String) })
    })

    test.each([
      '/about/book:Dune',
      '/users/alice',
      '/namespaces/alice/books',
      '/tags/alice/books/rating',
      '/objects?query=has%20alice/books/title',
      '/about/book:Dune/alice/comment',
      '/recent/users/alice',
    ])('the headers of %s with HEAD', async (path) => {
      const get = await call('GET', path, { as: 'alice' })
      const head = await call('HEAD', path, { as: 'alice' })
      const compared = [
        'content-type',
        'content-length',
        'etag',
        'last-modified',
        'x-service-type',
        'cache-control',
      ]
      const of = ({ status, headers }: Response) => [status, ...compared.map((header) => headers.get(header))]
      expect(of(head)).toEqual(of(get))
      expect(await head.text()).toBe('')
      expect(Number(head.headers.get('content-length'))).toBe((await get.arrayBuffer()).byteLength)
    })
  })

  describe('writes', () => {
    test.each(['null', 'false', '0', '""', '[]', '8.5', '9007199254740993', '"Dune"', '["a","b"]'])(
      'the primitive value %s',
      async (value) => {
        await nothing(await call('PUT', '/about/book:Emma/alice/books/read', { as: 'alice', value }))
      },
    )

    test.each(['text/html', 'application/json', 'application/octet-stream'])(
      'content of the type %s',
      async (type) => {
        const headers = { 'content-type': type }
        const path = '/about/book:Emma/alice/books/review'
        await nothing(await call('PUT', path, { as: 'alice', headers, body: '{"cut off' }))
      },
    )

    test('a value by object id, and deletes it', async () => {
      const { id } = (await jsonOf(await call('GET', '/about/book:Dune', { as: 'alice' }))) as { id: string }
      await nothing(await call('PUT', `/objects/${id}/alice/books/read`, { as: 'alice', value: 'true' }))
      await nothing(await call('DELETE', `/objects/${id}/alice/books/read`, { as: 'alice' }))
    })

    test.each([
      ['/namespaces/alice/books', { description: 'All that I read' }],
      ['/tags/alice/books/rating', { description: 'From 0 to 10' }],
      ['/users/alice', { name: 'Alice' }],
    ])('changes to %s', async (path, json) => {
      await nothing(await call('PUT', path, { as: 'alice', json }))
    })
  })

  describe('queries', () => {
    const query = 'alice/books/title matches "dune"'

    test('for objects', async () => {
      const found = (await jsonOf(
        await call('GET', `/objects?${new URLSearchParams({ query }).toString()}`, { as: 'alice' }),
      )) as { ids: string[] }
      expect(found.ids.length).toBeGreaterThan(0)
      expect(found.ids).toEqual(found.ids.map(() => expect.stringMatching(UUID)))
    })

    test('for the values of several tags at once', async () => {
      const search = new URLSearchParams({ query })
      for (const tag of ['alice/books/rating', 'alice/books/cover']) search.append('tag', tag)
      const { results } = (await jsonOf(
        await call('GET', `/values?${search.toString()}`, { as: 'alice' }),
      )) as {
        results: { id: Record<string, Record<string, unknown>> }
      }
      const { id } = (await jsonOf(await call('GET', '/about/book:Dune', { as: 'alice' }))) as { id: string }
      expect(results.id[id]).toEqual({
        'alice/books/rating': { value: 9, 'updated-at': expect.stringMatching(TIME) },
        'alice/books/cover': {
          'value-type': 'image/png',
          size: 84213,
          'updated-at': expect.stringMatching(TIME),
        },
      })
    })

    test('for recent values', async () => {
      const recent = (await jsonOf(
        await call('GET', '/recent/about/book:Dune?limit=2', { as: 'alice' }),
      )) as object[]
      expect(recent).toHaveLength(2)
      for (const value of recent) {
        expect(value).toMatchObject({ about: 'book:Dune', 'updated-at': expect.stringMatching(TIME) })
      }
    })

    test('to set and delete values', async () => {
      const queries = [['service/about = "book:Emma"', { 'alice/books/recommended': { value: true } }]]
      await nothing(await call('PUT', '/values', { as: 'alice', json: { queries } }))
      const search = new URLSearchParams({
        query: 'has alice/books/recommended',
        tag: 'alice/books/recommended',
      })
      await nothing(await call('DELETE', `/values?${search.toString()}`, { as: 'alice' }))
    })
  })

  describe('reads and sets the permission', () => {
    test.each([
      ['/permissions/namespaces/alice/books?action=create'],
      ['/permissions/tags/alice/books/rating?action=update'],
      ['/permissions/tag-values/alice/books/rating?action=WRITE'],
    ])('at %s', async (path) => {
      const permission = { policy: 'closed', exceptions: ['alice', 'bob'] }
      expect(await jsonOf(await call('GET', path, { as: 'alice' }))).toEqual(permission)
      await nothing(await call('PUT', path, { as: 'alice', json: permission }))
    })
  })

  describe('learns what went wrong', () => {
    test.each([
      ['NoSuchResource', 404, 'GET', '/1.0/users/alice', {}],
      ['UnsupportedMethod', 405, 'DELETE', '/objects', { as: 'alice' }],
      ['InvalidUTF8Argument', 400, 'GET', '/about/%FF', {}],
      [
        'MissingPayload',
        400,
        'POST',
        '/namespaces/alice',
        { as: 'alice', headers: { 'content-length': '0' } },
      ],
      [
        'MalformedPayload',
        400,
        'PUT',
        '/values',
        { as: 'alice', headers: { 'content-type': JSON_TYPE }, body: '{' },
      ],
      [
        'UnknownContentType',
        400,
        'POST',
        '/objects',
        { as: 'alice', headers: { 'content-type': 'text/csv' }, body: 'x' },
      ],
      ['UnsupportedJSONType', 400, 'PUT', '/about/book:Dune/alice/x', { as: 'alice', value: '[1]' }],
      ['PayloadFieldMissing', 400, 'POST', '/namespaces/alice', { as: 'alice', json: { name: 'x' } }],
      [
        'ContentChecksumMismatch',
        412,
        'POST',
        '/objects',
        { as: 'alice', json: {}, headers: { 'content-md5': 'AAAA' } },
      ],
      ['MultipleArgumentValues', 400, 'GET', '/objects?query=a&query=b', {}],
      ['UnknownAcceptType', 400, 'GET', '/users/alice', { headers: { accept: 'text/html' } }],
      ['NotAcceptable', 406, 'GET', '/about/book:Dune/alice/comment', { headers: { accept: 'video/*' } }],
      ['TUnauthorized', 401, 'POST', '/objects', {}],
      [
        'TPathPermissionDenied',
        401,
        'PUT',
        '/about/book:Dune/alice/books/rating',
        { as: 'mallory', prefer: 'code=401', value: '1' },
      ],
      ['NoSuchObject', 404, 'GET', '/about/book:Nowhere', { prefer: 'code=404' }],
      ['TNonexistentNamespace', 404, 'GET', '/namespaces/alice/nowhere', { as: 'alice', prefer: 'code=404' }],
      ['TNonexistentTag', 404, 'GET', '/tags/alice/nothing', { prefer: 'code=404' }],
      ['TNoSuchUser', 404, 'GET', '/users/nobody', { prefer: 'code=404' }],
      [
        'TNoInstanceOnObject',
        404,
        'GET',
        '/about/book:Dune/alice/books/lent',
        { as: 'alice', prefer: 'code=404' },
      ],
      ['TParseError', 400, 'GET', '/objects?query=alice/books/rating%20%3E', { prefer: 'code=400' }],
      ['TNamespaceNotEmpty', 412, 'DELETE', '/namespaces/alice/books', { as: 'alice', prefer: 'code=412' }],
      [
        'TUserAlreadyExists',
        412,
        'POST',
        '/users',
        { as: 'service', prefer: 'code=412', json: { username: 'bob', password: 'a long sentence' } },
      ],
    ] as const)('from the class %s', async (errorClass, status, method, path, options) => {
      const response = await call(method, path, options)
      expect(await failure(response)).toEqual([status, errorClass])
    })

    test('from the facts of the class', async () => {
      const refused = { as: 'mallory', prefer: 'code=401', value: '1' } as const
      const response = await call('PUT', '/about/book:Dune/alice/books/rating', refused)
      const facts = ['category', 'action', 'path'].map((fact) => response.headers.get(`x-service-${fact}`))
      expect(facts).toEqual(['tag-values', 'write', 'alice/books/rating'])
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="Gloss"')
      expect(response.headers.has('x-service-query')).toBe(false)
    })

    test('from a 401 without a class for wrong credentials', async () => {
      const headers = { authorization: `Basic ${btoa('alice:guess')}` }
      const response = await call('GET', '/users/alice', { headers, prefer: 'code=401' })
      expect([response.status, response.headers.get('x-service-error-class')]).toEqual([401, null])
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
    })
  })

  describe('running in a page of another origin', () => {
    const origin = 'https://app.example.org'

    test('gets an answer to its pre-flight request', async () => {
      const headers = {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,content-type',
      }
      const response = await call('OPTIONS', '/about/book:Dune/alice/books/rating', { headers })
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-methods')).toBe('DELETE, GET, HEAD, OPTIONS, PUT')
      expect(response.headers.get('access-control-allow-headers')).toMatch(/Authorization, Content-Type/)
    })

    test.each([
      ['a success', '/users/alice', {}],
      ['an error', '/about/%FF', {}],
    ])('may read the headers of %s', async (_, path, options) => {
      const response = await call('GET', path, { ...options, headers: { origin } })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-expose-headers')).toMatch(/X-Service-Error-Class/)
    })

    test('may read with JSONP', async () => {
      const response = await call('GET', '/users/alice?callback=app.show')
      expect([response.status, typeOf(response)]).toEqual([200, 'text/javascript; charset=utf-8'])
      const [, json = ''] = /^\/\*\*\/app\.show\((.*)\)$/.exec(await response.text()) ?? []
      expect(JSON.parse(json)).toEqual({ id: expect.stringMatching(UUID), name: expect.any(String) })
    })

    test.each([
      ['UnwrappableBlob', 400, '/about/book:Dune/alice/picture', 'image/svg+xml'],
      ['TBadArgument', 400, '/users/alice', undefined],
    ])('is refused JSONP with %s', async (errorClass, status, path, accept) => {
      const callback = accept === undefined ? '1(' : 'show'
      const headers = accept === undefined ? {} : { accept }
      const search = new URLSearchParams({ callback })
      const response = await call('GET', `${path}?${search.toString()}`, { as: 'alice', headers })
      expect(await failure(response)).toEqual([status, errorClass])
    })
  })
})
