/** What only a mock has: answers that a request prefers, and a log to read along. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readOperations } from '../../src/http/library.ts'
import { exampleRequests } from '../examples/requests.ts'
import { send, type Answer, type Options } from '../support/service.ts'
import { startMock, type Mock } from './bases.ts'

const RATING = '/about/book:Dune/alice/books/rating'
const operations = await readOperations()
const reading = operations.filter(({ method }) => method === 'get')

/** A mock needs no database, so it is tested once. */
const { database } = globalThis as { database?: string }
const describeOnce = database === 'mysql' ? describe.skip : describe

describeOnce('the mock without a store', () => {
  let mock: Mock
  beforeAll(async () => {
    mock = await startMock()
  })
  afterAll(() => mock.stop())

  const ask = (method: string, path: string, options: Options = {}): Promise<Answer> =>
    send(mock.url, method, path, { as: 'alice', ...options })

  const prefers: readonly (readonly [string, number, string | undefined, string])[] = [
    ['code=404', 404, 'TNoInstanceOnObject', ''],
    ['code=406', 406, 'NotAcceptable', ''],
    ['code=503', 503, 'ServiceUnavailable', ''],
    ['example=float', 200, undefined, '8.5'],
    ['example=TNonexistentTag', 404, 'TNonexistentTag', ''],
    ['example=TBadArgument', 400, 'TBadArgument', ''],
  ]

  test.each(prefers)(
    'prefers %s, in a header and in an argument',
    async (preference, status, error, body) => {
      const [name = '', value = ''] = preference.split('=')
      const asked = [
        ask('GET', RATING, { headers: { prefer: `respond-async, ${preference}` } }),
        ask('GET', RATING, { headers: { prefer: `${name}="${value}"` } }),
        ask('GET', RATING, { query: { [`__${name}`]: value } }),
      ]
      for (const answer of await Promise.all(asked)) {
        expect([answer.status, answer.error, answer.body.toString()]).toEqual([status, error, body])
      }
    },
  )

  test('makes answers up where they are preferred', async () => {
    const answer = await ask('GET', '/about/book:Dune', { query: { __dynamic: 'true' } })
    const { id, tagPaths } = answer.json() as { id: string; tagPaths: string[] }
    expect([answer.status, typeof id, Array.isArray(tagPaths)]).toEqual([200, 'string', true])
    expect(id).not.toBe('019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4')
  })

  test.each([
    ['code', '418', /there are 200, 304, 400, 401, 404, 406/],
    [
      'example',
      'nonsense',
      /there are int, float, boolean, string, list-of-strings, null, .*TNonexistentTag/,
    ],
    ['dynamic', 'perhaps', /there are true, false/],
  ])('says what there is instead of %s=%s', async (name, value, message) => {
    const asked = [
      ask('GET', RATING, { headers: { prefer: `${name}=${value}` } }),
      ask('GET', RATING, { query: { [`__${name}`]: value } }),
    ]
    for (const answer of await Promise.all(asked)) {
      expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
      expect(answer.headers['x-service-message']).toMatch(message)
    }
  })

  test('says which examples there are with the preferred code', async () => {
    const { headers } = await ask('GET', RATING, { query: { __code: '404', __example: 'float' } })
    expect(headers['x-service-message']).toMatch(
      /there are TNoInstanceOnObject, TNonexistentTag, NoSuchObject$/,
    )
  })

  test.each(reading.map((operation) => [operation.operationId, operation] as const))(
    'gives each answer of %s',
    async (_, operation) => {
      const [request] = exampleRequests(operation)
      const codes = Object.keys(operation.responses)
      const given: string[] = []
      for (const code of codes) {
        const { status } = await ask('GET', request?.path ?? '', {
          query: { ...request?.query, __code: code },
        })
        given.push(String(status))
      }
      expect(given).toEqual(codes)
    },
  )

  test('lets pages of other origins send the header', async () => {
    const headers = {
      origin: 'https://app.example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,prefer',
    }
    const answer = await send(mock.url, 'OPTIONS', RATING, { headers })
    expect(answer.headers['access-control-allow-headers']).toMatch(/\bPrefer\b.*\bAuthorization\b/)
  })

  test('prints one line for each request', async () => {
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
    const example = mock.printed(/lent/)
    await ask('GET', '/about/book:Dune/alice/books/lent', { query: { __code: '404' } })
    expect(await example).toMatch(
      new RegExp(`^${time} GET /about/book:Dune/alice/books/lent 404 TNoInstanceOnObject \\(example\\)$`),
    )
    const own = mock.printed(/./)
    await ask('POST', '/docs')
    expect(await own).toMatch(new RegExp(`^${time} POST /docs 405 UnsupportedMethod \\(service\\)$`))
  })
})
