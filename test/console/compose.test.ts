/** Queries made of parts, without a browser. */
import { expect, test } from '@jest/globals'
import { both } from '../../console/src/query/compose.ts'
import { parseQuery } from '../../src/query/parse.ts'

const kindOf = (query: string): string => parseQuery(query).root.kind

test.each([
  ['blanks', 'has u/a or has u/b'],
  ['line ends', 'u/a = 1\nor u/a = 2'],
  ['line ends of Windows', 'u/a = 1\r\nor\r\nu/a = 2'],
  ['tabs', 'has u/a\tor\thas u/b'],
  ['nothing', '(has u/a)or(has u/b)'],
  ['a string', 'u/a = "x"or has u/b'],
  ['a string with quotes', String.raw`u/a = "\"x\\" OR u/b = "\" and "`],
  ['any letter case', 'has u/a oR has u/b'],
])('or after %s is kept together', (_what, query) => {
  expect(both(query, 'has u/c')).toBe(`(${query}) and has u/c`)
  expect(both('has u/c', query)).toBe(`has u/c and (${query})`)
  expect(kindOf(query)).toBe('or')
  expect(kindOf(both(query, 'has u/c'))).toBe('and')
})

test.each([
  'u/a = "1 or 2"',
  String.raw`u/a = "\" or \\" and has u/b`,
  'has u/color',
  'has u/a except has u/b',
])('nothing is put around %s', (query) => {
  expect(both(query, 'has u/c')).toBe(`${query} and has u/c`)
  expect(kindOf(both(query, 'has u/c'))).toBe('and')
})

test('what would say the same again is left out', () => {
  expect(both('', ' has u/a ')).toBe('has u/a')
  expect(both('has u/a\n', 'has u/a')).toBe('has u/a')
})
