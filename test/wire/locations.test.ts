/** `URI` and `Location` are absolute URLs, built from the configuration, a trusted proxy's headers, or `Host`. */
import { describe, expect, test } from '@jest/globals'
import { PASSWORD, type Answer } from '../support/service.ts'
import { errorLink } from '../support/contract-judge.ts'
import { ask, basic, exchangeOne, rawRequest, useService, type RawAnswer } from './raw-requests.ts'

type Headers = Record<string, string>

const create = (url: string, headers: Headers = {}): Promise<Answer> =>
  ask(url, 'POST', '/objects', { as: 'alice', headers: { host: 'direct.example:81', ...headers } })

/** What the URL of a new object begins with. */
async function baseBy(url: string, headers: Headers = {}): Promise<string> {
  const answer = await create(url, headers)
  const { URI, id } = answer.json() as { URI: string; id: string }
  expect(answer.headers.location).toBe(URI)
  expect(URI.endsWith(`/objects/${id}`)).toBe(true)
  return URI.slice(0, -`/objects/${id}`.length)
}

const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'public.example' }

/** What could be in the place of a host. */
const HOSTILE = [
  '',
  ' ',
  'a b',
  'evil.example/path',
  'evil.example/path?x=',
  'evil.example#',
  'user:password@evil.example',
  '"><script>alert(1)</script>',
  'a"b',
  'a\\b',
  '{}',
  'a,b',
  'é',
  '\xff\xfe',
  '\xe2\x82\xac',
  '%0d%0aX-Evil:1',
  '%',
  'a\tb',
  ':80',
  'a:',
  'a:b',
  'a:99999',
  '[::1',
  '::1',
  'javascript:alert(1)//',
  '..',
  'x'.repeat(5000),
]

const ofAlice = [`Authorization: ${basic('alice')}`, 'Content-Length: 0']

describe('without configuration, URLs are built', () => {
  const setting = useService()

  test.each([
    'gloss.example',
    'gloss.example:8080',
    '127.0.0.1',
    '[::1]:8080',
    'GLOSS.example',
    'a-b.c_d.example',
  ])('from Host: %s', async (host) => {
    expect(await baseBy(setting().url, { host })).toBe(`http://${host}`)
  })

  test('from Host, unless it is longer than names are', async () => {
    const longest = `${'a'.repeat(253)}:65535`
    expect(await baseBy(setting().url, { host: longest })).toBe(`http://${longest}`)
    const answer = await create(setting().url, { host: 'a'.repeat(254) })
    const link = errorLink('', 'TBadRequest')
    expect([answer.status, answer.error, answer.headers.link]).toEqual([400, 'TBadRequest', link])
  })

  test('without regard to forwarded headers', async () => {
    const forging = { ...forwarded, forwarded: 'host=evil.example;proto=https', 'x-forwarded-port': '1' }
    expect(await baseBy(setting().url, forging)).toBe('http://direct.example:81')
  })

  test('for HTTP/1.0 without Host', async () => {
    const octets = `POST /objects HTTP/1.0\r\nAuthorization: ${basic('alice')}\r\nContent-Length: 0\r\n\r\n`
    const answer = await exchangeOne(setting().url, octets)
    expect(answer.status).toBe(201)
    expectLocation(answer)
  })

  test.each(HOSTILE)('safely or not at all from Host: %j', async (host) => {
    const { url } = setting()
    const octets = rawRequest('POST /objects', [`Authorization: ${basic('alice')}`, 'Content-Length: 0'])
    const answer = await exchangeOne(url, octets.replace('gloss.example', host))
    expect([
      [201, undefined],
      [400, 'TBadRequest'],
    ]).toContainEqual([answer.status, answer.error])
    if (answer.status === 201) expectLocation(answer)
  })

  test.each(['Host: other.example', 'Host: gloss.example', 'HOST:'])(
    'not with a second Host: %s',
    async (second) => {
      const answer = await exchangeOne(setting().url, rawRequest('POST /objects', [...ofAlice, second]))
      expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
    },
  )

  const created: [path: string, json: object, location: string][] = [
    ['/namespaces/alice', { name: 'bücher', description: 'd' }, '/namespaces/alice/b%C3%BCcher'],
    [
      '/namespaces/alice/b%C3%BCcher',
      { name: '本', description: 'd' },
      '/namespaces/alice/b%C3%BCcher/%E6%9C%AC',
    ],
    [
      '/tags/alice%2Fb%C3%BCcher',
      { name: '𝒳-y.z_1', description: 'd', indexed: true },
      '/tags/alice/b%C3%BCcher/%F0%9D%92%B3-y.z_1',
    ],
    ['/tags/ALICE/new/way', { name: 'a:b', description: 'd', indexed: true }, '/tags/alice/new/way/a:b'],
    ['/users', { username: 'Zoë', password: PASSWORD }, '/users/zo%C3%AB'],
  ]

  test.each(created)('for what is created by POST %s %j', async (path, json, location) => {
    const as = path === '/users' ? 'service' : 'alice'
    const answer = await setting().service.ok('POST', path, { as, json })
    const { URI } = answer.json() as { URI: string }
    expect(answer.headers.location).toBe(URI)
    // An encoded and a plain colon mean the same URL.
    expect(URI.replaceAll('%3A', ':')).toBe(setting().url.replaceAll('%3A', ':') + location)
    const { id } = answer.json() as { id: string }
    const found = await setting().service.ok('GET', URI.slice(setting().url.length))
    expect((found.json() as { id: string }).id).toBe(id)
  })

  test('with its id for an object created by its about value', async () => {
    const about = '/about/https%3A%2F%2Fx.example%2Fb%C3%BCcher%3Fa%3Db%23c'
    const answer = await setting().service.ok('POST', about, { as: 'alice' })
    const { URI, id } = answer.json() as { URI: string; id: string }
    expect([answer.headers.location, URI]).toEqual([URI, `${setting().url}/objects/${id}`])
  })
})

/** Expects a valid URL of a new object, the same in `Location` and `URI`. */
function expectLocation({ headers, body }: RawAnswer): void {
  const { URI, id } = JSON.parse(Buffer.from(body, 'latin1').toString()) as { URI: string; id: string }
  expect(headers['location']).toBe(URI)
  expect(URI).toMatch(/^http:\/\/[\x21-\x7e]+$/)
  const { pathname, search, hash, username } = new URL(URI)
  expect([pathname, search, hash, username]).toEqual([`/objects/${id}`, '', '', ''])
}

describe.each([
  ['https://gloss.example/', 'https://gloss.example'],
  ['http://gloss.example:8080/api/v1//', 'http://gloss.example:8080/api/v1'],
])('BASE_URL=%s', (configured, base) => {
  const setting = useService({ BASE_URL: configured, TRUST_PROXY: 'loopback' })

  test('takes precedence over all headers', async () => {
    for (const headers of [{}, forwarded, { host: 'evil.example' }]) {
      expect(await baseBy(setting().url, headers)).toBe(base)
    }
    const json = { name: 'x', description: 'd' }
    const answer = await setting().service.ok('POST', '/namespaces/alice', { as: 'alice', json })
    expect(answer.headers.location).toBe(`${base}/namespaces/alice/x`)
  })
})

describe('from a target in absolute form, URLs are built', () => {
  const setting = useService()

  test.each(['named.example', 'NAMED.example:81', '[::1]:8080'])(
    'from the host of a target in absolute form, not from Host: %s',
    async (host) => {
      const { url } = setting()
      const made = await exchangeOne(url, rawRequest(`POST http://${host}/objects`, ofAlice))
      expect([made.status, made.headers['location']]).toEqual([
        201,
        expect.stringMatching(new RegExp(`^http://${host.replace(/[[\]]/g, '\\$&')}/objects/`)),
      ])
      const refused = await exchangeOne(url, rawRequest(`GET HTTP://${host}/nowhere`))
      expect(refused.headers['link']).toContain(`<http://${host}/docs#`)
    },
  )

  test.each(HOSTILE.filter((host) => !/[ ?/#\t\x80-\uffff]/.test(host) && host.length < 300))(
    'not from a hostile one: http://%s/objects',
    async (host) => {
      const answer = await exchangeOne(setting().url, rawRequest(`POST http://${host}/objects`, ofAlice))
      if (answer.status === 201) expectLocation(answer)
      else expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
    },
  )

  test.each(['http:///objects', 'http://u@h/objects', `http://${'a'.repeat(254)}/objects`])(
    'not from %s',
    async (target) => {
      const answer = await exchangeOne(setting().url, rawRequest(`POST ${target}`, ofAlice))
      expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
    },
  )

  test('not from a target in absolute form without Host, which HTTP/1.1 requires', async () => {
    const octets = rawRequest('POST http://named.example/objects', ofAlice).replace(/^Host:.*\r\n/m, '')
    const answer = await exchangeOne(setting().url, octets)
    expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
  })
})

describe('with a trusted proxy, URLs are built', () => {
  const setting = useService({ TRUST_PROXY: 'loopback' })

  test.each<[headers: Headers, base: string]>([
    [{}, 'http://direct.example:81'],
    [forwarded, 'https://public.example'],
    [{ 'x-forwarded-proto': 'https' }, 'https://direct.example:81'],
    [{ 'x-forwarded-host': 'public.example:444' }, 'http://public.example:444'],
    [{ ...forwarded, 'x-forwarded-host': 'public.example, inner.example' }, 'https://public.example'],
    [{ ...forwarded, 'x-forwarded-proto': 'https, http' }, 'https://public.example'],
  ])('from the headers %j', async (headers, base) => {
    expect(await baseBy(setting().url, headers)).toBe(base)
  })

  test.each(['javascript', 'ftp', '"', '', 'https://evil.example/', 'http\\'])(
    'without the invalid scheme %j',
    async (scheme) => {
      const answer = await create(setting().url, { ...forwarded, 'x-forwarded-proto': scheme })
      if (answer.status === 400) expect(answer.error).toBe('TBadRequest')
      else expect(answer.headers.location).toMatch(/^https?:\/\/public\.example\/objects\//)
    },
  )

  test.each(['a b', 'evil.example/x?', '"<>', 'é', '%', 'u@h'])(
    'safely or not at all from X-Forwarded-Host: %j',
    async (host) => {
      const answer = await create(setting().url, { 'x-forwarded-host': host })
      if (answer.status === 400) {
        expect(answer.error).toBe('TBadRequest')
        return
      }
      const { headers, body, status } = answer
      expectLocation({
        status,
        error: answer.error,
        headers: headers as Headers,
        body: body.toString('latin1'),
      })
    },
  )
})

describe('with a trusted proxy that sends targets in absolute form, URLs are built', () => {
  const setting = useService({ TRUST_PROXY: 'loopback' })
  const base = async (headers: readonly string[]): Promise<unknown> => {
    const all = [`Authorization: ${basic('alice')}`, 'Content-Length: 0', ...headers]
    const answer = await exchangeOne(setting().url, rawRequest('POST http://named.example/objects', all))
    return answer.headers['location']?.replace(/\/objects\/.*/, '')
  }

  test('from their host, or else from what the proxy forwards', async () => {
    expect(await base([])).toBe('http://named.example')
    expect(await base(['X-Forwarded-Host: public.example'])).toBe('http://public.example')
  })

  test('not without a host', async () => {
    const headers = [`Authorization: ${basic('alice')}`, 'Content-Length: 0']
    const answer = await exchangeOne(setting().url, rawRequest('POST http:///objects', headers))
    expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
  })
})

describe('with a trusted proxy that is not the peer', () => {
  const setting = useService({ TRUST_PROXY: '10.0.0.1, 192.168.0.0/16' })

  test('forwarded headers are ignored', async () => {
    expect(await baseBy(setting().url, forwarded)).toBe('http://direct.example:81')
  })
})
