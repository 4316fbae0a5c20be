/** Queries as people type them into an address: with `=`, quotation marks and `>` as they are, and `+` between words. */
import { beforeAll, describe, expect, test } from '@jest/globals'
import { OPERATIONS } from '../support/operations.ts'
import { ask, useService } from './raw-requests.ts'

const setting = useService()

beforeAll(async () => {
  const { service } = setting()
  const texts = { 'typed-1': '"a=b"', 'typed-2': '"=="', 'typed-3': '"x"' }
  for (const [about, primitive] of Object.entries(texts)) {
    await service.ok('PUT', `/about/${about}/alice/books/title`, { as: 'alice', primitive })
  }
})

/** Queries as typed, as they are meant, and how many objects they match. */
const QUERIES: readonly (readonly [typed: string, meant: string, matches: number])[] = [
  ['alice/books/title="x"', 'alice/books/title="x"', 1],
  ['alice/books/title+=+"x"', 'alice/books/title = "x"', 1],
  ['alice/books/title="a=b"', 'alice/books/title="a=b"', 1],
  ['alice/books/title="=="', 'alice/books/title="=="', 1],
  ['alice/books/title!="=="', 'alice/books/title!="=="', 2],
  ['alice/books/rating>=5', 'alice/books/rating>=5', 2],
  ['alice/books/rating<=5+or+alice/books/title="a=b"', 'alice/books/rating<=5 or alice/books/title="a=b"', 2],
  [
    '(has+alice/books/rating)+except+alice/books/rating=5',
    '(has alice/books/rating) except alice/books/rating=5',
    1,
  ],
  ['service/about="typed-1"', 'service/about="typed-1"', 1],
]

/** What an operation needs beside its query. */
const ALSO: Readonly<Record<string, string>> = {
  '/values': '&tag=alice/books/title',
  '/search/facets': '&tag=alice/books/title',
  '/search/suggest': '&tag=alice/books/title',
}

const ASKED = OPERATIONS.filter(
  ({ method, parameters = [] }) =>
    method === 'get' && parameters.some(({ name, in: place }) => place === 'query' && name === 'query'),
).map(({ path }) => path)

test('there are such operations', () => {
  expect(ASKED).toContain('/objects')
})

describe.each(ASKED)('GET %s', (path) => {
  test.each(QUERIES)('?query=%s', async (typed, meant) => {
    const { url } = setting()
    const asked = (query: string) =>
      ask(url, 'GET', `${path}?query=${query}${ALSO[path] ?? ''}`, { as: 'alice' })
    const [answer, encoded] = [await asked(typed), await asked(encodeURIComponent(meant))]
    expect([answer.status, answer.body.toString()]).toEqual([200, encoded.body.toString()])
  })
})

test.each(QUERIES)('?query=%s matches %s, %i times', async (typed, _meant, matches) => {
  const answer = await ask(setting().url, 'GET', `/objects?query=${typed}`, { as: 'alice' })
  expect((answer.json() as { ids: unknown[] }).ids).toHaveLength(matches)
})
