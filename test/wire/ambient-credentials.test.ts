/** Credentials that a browser adds: what the service does with those that do not count, on every kind of request. */
import { describe, expect, test } from '@jest/globals'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import type { Answer } from '../support/service.ts'
import { OPERATION_NAMES, sampleOf, targetOf, type Sample } from '../support/samples.ts'
import { ask, useService, type Parts } from './raw-requests.ts'

type Headers = Readonly<Record<string, string>>

const TRUSTED = 'https://app.example'
const setting = useService({ CORS_CREDENTIAL_ORIGINS: TRUSTED, BASE_URL: 'https://public.example/gloss' })
const SECRET = '/about/book-1/alice/books/secret'
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' }
const of = (site: string, mode: string): Headers => ({
  ...BROWSER,
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
})
const SCRIPT = of('cross-site', 'no-cors')

const outcome = ({ status, error }: Answer): unknown[] => [status, error]
const DENIED = [401, 'TPathPermissionDenied']
const WRONG = [401, undefined]

const send = (method: string, target: string, headers: Headers, parts: Parts = {}): Promise<Answer> =>
  ask(setting().url, method, target, { as: 'alice', headers, ...parts })

/** The query arguments that make a GET of a sample. */
const asQuery = ({ method, body, type }: Sample): string =>
  String(
    new URLSearchParams({
      verb: method,
      ...(body !== undefined && {
        payload: body,
        'payload-length': String(Buffer.byteLength(body)),
        'payload-type': String(type),
      }),
    }),
  )

/** It has the method of a write, and anybody may send it. */
const CHECK = 'POST /search/check'

const WRITES = OPERATION_NAMES.filter((name) => !name.startsWith('GET ') && name !== CHECK)

test(`${CHECK} tells nothing to credentials that another page may have had added`, async () => {
  const typed = { 'content-type': 'application/json' }
  const valid = async (headers: Headers): Promise<unknown> => {
    const body = JSON.stringify({ query: 'has alice/books/secret' })
    const answer = await send('POST', '/search/check', { ...headers, ...typed }, { body })
    return (answer.json() as { valid: unknown }).valid
  }
  expect(await valid(of('same-origin', 'cors'))).toBe(true)
  for (const headers of [
    of('cross-site', 'navigate'),
    of('same-site', 'no-cors'),
    { ...BROWSER, origin: 'https://evil.example' },
  ]) {
    expect([headers, await valid(headers)]).toEqual([headers, false])
  }
})

describe.each(WRITES)('%s', (name) => {
  test('is not done with credentials that another page may have had added', async () => {
    const sample = await sampleOf(setting().service, name)
    const { as = '', method, body, type } = sample
    const parts = { as, ...(body !== undefined && { body }) }
    const typed = type === undefined ? {} : { 'content-type': type }
    const attacks = [
      send('GET', targetOf(sample, asQuery(sample)), SCRIPT, { as }),
      send('GET', targetOf(sample, `callback=f&${asQuery(sample)}`), of('same-site', 'no-cors'), { as }),
      send('GET', targetOf(sample, asQuery(sample)), of('cross-site', 'navigate'), { as }),
      send('GET', targetOf(sample, asQuery(sample)), of('cross-site', 'cors'), { as }),
      send('GET', targetOf(sample, asQuery(sample)), of('none', 'navigate'), { as }),
      send('GET', targetOf(sample, asQuery(sample)), BROWSER, { as }),
      send(method, targetOf(sample), { ...of('cross-site', 'navigate'), ...typed }, parts),
      send(method, targetOf(sample), { ...of('same-site', 'no-cors'), ...typed }, parts),
      send(method, targetOf(sample), { ...BROWSER, origin: 'https://evil.example', ...typed }, parts),
      send(method, targetOf(sample), { ...BROWSER, ...typed }, parts),
    ]
    for (const answer of await Promise.all(attacks)) {
      expect(answer.status).toBe(401)
      expect(['TUnauthorized', 'TPathPermissionDenied']).toContain(answer.error)
    }
    const answer = await send(method, targetOf(sample), { ...of('same-origin', 'cors'), ...typed }, parts)
    expect(answer.status).toBe(sample.status)
  })
})

const READS: readonly [counts: boolean, site: string, mode: string, query: string, origin?: string][] = [
  [true, 'same-origin', 'no-cors', ''],
  [true, 'same-origin', 'no-cors', '?callback=f'],
  [true, 'none', 'navigate', ''],
  [true, 'none', 'navigate', '?callback=f'],
  [true, 'none', 'navigate', '?verb=%47et'],
  [false, 'none', 'navigate', '?verb=GET&verb=GET'],
  [false, 'none', 'navigate', '?verb=%FF'],
  [true, 'cross-site', 'navigate', ''],
  [true, 'same-site', 'cors', ''],
  [true, 'cross-site', 'no-cors', '?callback=f', TRUSTED],
  [false, 'cross-site', 'no-cors', ''],
  [false, 'same-site', 'no-cors', '?callback=f'],
  [false, 'cross-site', 'navigate', '?verb=HEAD'],
  [false, 'cross-site', 'cors', '?callback=f', 'https://evil.example'],
  [false, 'same-origin, same-origin', 'no-cors', ''],
  [false, 'SAME-ORIGIN', 'no-cors', ''],
]

test('a read is answered by whether its credentials count', async () => {
  for (const [counts, site, mode, query, origin] of READS) {
    const headers = { ...of(site, mode), ...(origin !== undefined && { origin }) }
    const right = await send('GET', SECRET + query, headers)
    const wrong = await send('GET', SECRET + query, headers, { password: 'wrong' })
    const row = [site, mode, query, origin]
    expect([row, right.body.toString().includes('hidden')]).toEqual([row, counts])
    // Credentials that do not count are not even looked at.
    expect([row, ...outcome(wrong)]).toEqual([row, ...(counts ? WRONG : outcome(right))])
  }
})

test('what anybody may read is read as the anonymous user, with right and wrong credentials', async () => {
  for (const password of ['correct horse', 'wrong']) {
    const answer = await send('GET', '/about/book-1/alice/books/rating?callback=f', SCRIPT, { password })
    expect([answer.status, answer.body.toString()]).toEqual([200, '/**/f(5)'])
  }
})

test('wrong credentials that do not count are no failed attempts', async () => {
  for (let i = 0; i < 12; i++) {
    expect(outcome(await send('GET', SECRET, SCRIPT, { as: 'carol', password: `wrong-${i}` }))).toEqual(
      DENIED,
    )
  }
  expect((await ask(setting().url, 'GET', '/users/alice', { as: 'carol', password: 'wrong' })).status).toBe(
    401,
  )
  expect((await ask(setting().url, 'GET', '/users/alice', { as: 'carol' })).status).toBe(200)
})

test('credentials that do not count leave the order of checks as it is', async () => {
  const long = `/${'x'.repeat(70_000)}`
  expect(outcome(await send('GET', long, {}, { password: 'wrong' }))).toEqual(WRONG)
  expect(outcome(await send('GET', long, SCRIPT, { password: 'wrong' }))).toEqual([414, 'UriTooLong'])
})

describe('without fetch metadata, a write by a browser counts', () => {
  const value = { body: '5', as: 'alice' }
  const put = (origin: string | undefined, agent: string, host = 'gloss.example:8080'): Promise<Answer> =>
    send(
      'PUT',
      '/about/book-1/alice/books/plain',
      {
        'content-type': PRIMITIVE_MEDIA_TYPE,
        'user-agent': agent,
        host,
        ...(origin !== undefined && { origin }),
      },
      value,
    )
  const { 'user-agent': agent } = BROWSER

  test.each(['http://gloss.example:8080', 'https://public.example', TRUSTED])('from %s', async (origin) => {
    expect((await put(origin, agent)).status).toBe(204)
  })

  test.each(['http://gloss.example', 'https://gloss.example:8080', 'http://evil.example', 'null', undefined])(
    'not from %s',
    async (origin) => {
      expect(outcome(await put(origin, agent))).toEqual(DENIED)
    },
  )

  test.each(['curl/8.14.1', 'undici', 'Go-http-client/1.1', ''])(
    'but clients that are no browsers need no origin: %j',
    async (other) => {
      expect((await put(undefined, other)).status).toBe(204)
      expect((await put('http://evil.example', other)).status).toBe(204)
    },
  )
})
