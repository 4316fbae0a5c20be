/** What only a mock has: answers that a request prefers, a log to read along, and a store that can be put back. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PASSWORD } from '../../mock/data.ts'
import { answersJson } from '../../src/http/contract/contract.ts'
import { readOperations } from '../../src/http/contract/validation.ts'
import { exampleAnswers, exampleRequests } from '../examples/requests.ts'
import { send, type Answer, type Options } from '../support/service.ts'
import { startMock, type Mock } from './bases.ts'

const RATING = '/about/book:Dune/alice/books/rating'
const operations = await readOperations()
const reading = operations.filter(({ method }) => method === 'get')

const PREFERS: readonly (readonly [string, number, string | undefined, string])[] = [
  ['code=404', 404, 'TNoInstanceOnObject', ''],
  ['code=406', 406, 'NotAcceptable', ''],
  ['code=503', 503, 'ServiceUnavailable', ''],
  ['example=float', 200, undefined, '8.5'],
  ['example=TNonexistentTag', 404, 'TNonexistentTag', ''],
  ['example=TBadArgument', 400, 'TBadArgument', ''],
]

describe('the mock without a store', () => {
  let mock: Mock
  beforeAll(async () => {
    mock = await startMock()
  })
  afterAll(() => mock.stop())

  const ask = (method: string, path: string, options: Options = {}): Promise<Answer> =>
    send(mock.url, method, path, { as: 'alice', ...options })

  test.each(PREFERS)(
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

  test('makes the same answer up for the same seed', async () => {
    const made = async (): Promise<string> => {
      const headers = { prefer: 'dynamic=true, seed=words' }
      return (await ask('GET', '/about/book:Dune', { headers })).body.toString()
    }
    expect(await made()).toBe(await made())
  })

  test('forgets what a request did', async () => {
    const json = { name: 'wished', description: 'Books' }
    const made = await Promise.all([1, 2, 3].map(() => ask('POST', '/namespaces/alice/books', { json })))
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
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
    expect(answer.headers['access-control-allow-headers']).toMatch(/\bAuthorization\b.*\bPrefer\b/)
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

  test('saves and restores no data', async () => {
    for (const [method, path] of [
      ['PUT', '/__snapshots/one'],
      ['POST', '/__reset?snapshot=one'],
    ] as const) {
      const answer = await ask(method, path)
      expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
    }
  })
})

describe('the mock that remembers', () => {
  let mock: Mock
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gloss-test-'))
    mock = await startMock(['--stateful'], { TMPDIR: folder })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const ask = (method: string, path: string, options: Options = {}): Promise<Answer> =>
    send(mock.url, method, path, { as: 'alice', password: PASSWORD, ...options })

  const found = async (): Promise<unknown> =>
    (await ask('GET', '/objects', { query: { query: 'alice/books/rating > 6' } })).json()

  const ids = ['019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4', '019a2f3d-02c8-7f16-b8a4-d15e70c93f2b']

  /** A story that makes, changes and deletes, and ends in another state than the one at the start. */
  async function changeMuch(): Promise<void> {
    const made = { username: 'dinah', password: 'a cat of few words' }
    const steps = [
      await ask('POST', '/users', { as: 'service', json: made }),
      await ask('PUT', '/about/book:Emma/dinah/books/rating', {
        as: 'dinah',
        password: made.password,
        primitive: '7',
      }),
      await ask('PUT', '/about/book:Emma/alice/books/rating', { primitive: '7' }),
      await ask('DELETE', RATING),
      await ask('PUT', '/users/bob', { as: 'bob', json: { password: 'borrowed words' } }),
      await ask('DELETE', '/tags/alice/comment'),
    ]
    expect(steps.map(({ status }) => status)).toEqual([201, 204, 204, 204, 204, 204])
    expect(((await found()) as { ids: string[] }).ids).toHaveLength(2)
    expect(await found()).not.toEqual({ ids })
    expect((await ask('GET', '/users/bob', { as: 'bob' })).status).toBe(401)
  }

  async function expectStart(): Promise<void> {
    expect(await found()).toEqual({ ids })
    expect((await ask('GET', RATING)).body.toString()).toBe('9')
    const comment = await ask('GET', '/about/book:Dune/alice/comment')
    expect(comment.json()).toBe('It begins slowly, and then one cannot stop.')
    expect((await ask('GET', '/users/dinah')).error).toBe('TNoSuchUser')
    expect((await ask('GET', '/users/bob', { as: 'bob' })).status).toBe(200)
  }

  test.each(
    reading
      .filter((operation) => answersJson(operation) && !operation.operationId.includes('Contract'))
      .map((operation) => [operation.operationId, operation] as const),
  )('answers the examples of %s as the contract shows', async (_, operation) => {
    const times = (text: string): unknown =>
      JSON.parse(text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time'))
    const answers: unknown[] = []
    for (const { path, query } of exampleRequests(operation)) {
      const answer = await ask('GET', path, { query })
      expect([path, answer.status]).toEqual([path, 200])
      answers.push(times(answer.body.toString()))
    }
    const shown = exampleAnswers(operation).bodies.map(({ example }) => times(JSON.stringify(example)))
    // An object without tags, and only part of what is recent, are in the examples of other requests.
    const matching = shown.map((example) =>
      Array.isArray(example) ? expect.arrayContaining(example) : example,
    )
    expect(matching.some((example) => answers.some((answer) => isEqual(answer, example)))).toBe(true)
  })

  test('is as at the start after POST /__reset', async () => {
    await expectStart()
    await changeMuch()
    const answer = await ask('POST', '/__reset', { headers: { origin: 'https://app.example.org' } })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([204, '*'])
    await expectStart()
  })

  test('is as at the start after SIGUSR2', async () => {
    await changeMuch()
    const line = mock.printed(/as it was at the start/)
    mock.process.kill('SIGUSR2')
    await line
    await expectStart()
  })

  test('ends requests in hand before it is put back, and has later ones wait', async () => {
    const writes = Array.from({ length: 20 }, (_, i) =>
      ask('PUT', `/about/book:${String(i)}/alice/books/rating`, { primitive: '8' }),
    )
    const resets = [ask('POST', '/__reset'), ask('POST', '/__reset')]
    const later = Array.from({ length: 20 }, () => ask('GET', RATING))
    const statuses = (await Promise.all([...writes, ...resets, ...later])).map(({ status }) => status)
    expect(statuses).toEqual([...writes.map(() => 204), ...resets.map(() => 204), ...later.map(() => 200)])
  })

  test('takes nothing but POST for that, also from pages', async () => {
    const got = await ask('GET', '/__reset')
    expect([got.status, got.error, got.headers.allow]).toEqual([405, 'UnsupportedMethod', 'OPTIONS, POST'])
    const headers = { origin: 'https://app.example.org', 'access-control-request-method': 'POST' }
    const asked = await send(mock.url, 'OPTIONS', '/__reset', { headers })
    expect([asked.status, asked.headers['access-control-allow-methods']]).toEqual([204, 'OPTIONS, POST'])
  })

  test('answers the first request of a newcomer, who has no account', async () => {
    const answer = await send(mock.url, 'GET', RATING, {})
    expect([answer.status, answer.body.toString()]).toEqual([200, '9'])
  })

  test('lets pages send the headers of the mock', async () => {
    const headers = { origin: 'https://app.example.org', 'access-control-request-method': 'GET' }
    const asked = await send(mock.url, 'OPTIONS', RATING, { headers })
    expect(asked.headers['access-control-allow-headers']).toMatch(/\bPrefer\b.*\bX-Mock-Store\b/)
  })

  test('leaves nothing on the disk', async () => {
    expect(await readdir(folder)).toHaveLength(1)
    await mock.stop()
    expect(await readdir(folder)).toEqual([])
  })
})

function isEqual(answer: unknown, example: unknown): boolean {
  try {
    expect(answer).toEqual(example)
    return true
  } catch {
    return false
  }
}
