/** How much of a query's texts is cut into words: characters are counted as folding writes them out. */
import { expect, test } from '@jest/globals'
import { QUERY_LIMITS } from '../../src/query/lexer.ts'
import { parseQuery, parseQueryAfter } from '../../src/query/parse.ts'

const ligatures = (times: number): string => 'ﷺ'.repeat(times)
const TOO_LONG = [
  `u/a matches "${ligatures(3_641)}"`,
  `u/a matches "${ligatures(2_000)}" or u/b matches "${ligatures(2_000)}"`,
]
const REFUSED = expect.objectContaining({
  errorClass: 'TParseError',
  facts: expect.objectContaining({
    message: 'line 1, column 1: the texts after matches are too long when their characters are written out',
  }),
})

test.each(TOO_LONG)('too much is refused, %#', (text) => {
  expect(() => parseQuery(text)).toThrow(REFUSED)
  expect(() => parseQueryAfter(parseQuery('u/a matches "a" or u/b matches "b"'), text, QUERY_LIMITS)).toThrow(
    REFUSED,
  )
})

test('a text that differs from the one before only in its string is refused, too', () => {
  const before = parseQuery('u/a matches "a"')
  expect(() => parseQueryAfter(before, `u/a matches "${ligatures(3_641)}"`, QUERY_LIMITS)).toThrow(REFUSED)
})

test.each([
  `u/a matches "${ligatures(3_640)}"`,
  `u/a matches "${'ж'.repeat(16_000)}"`,
  `u/a matches "${'a'.repeat(32_000)}"`,
  `u/a = "${ligatures(10_000)}"`,
])('as much as that is taken, %#', (text) => {
  expect(parseQuery(text).text).toBe(text)
})
