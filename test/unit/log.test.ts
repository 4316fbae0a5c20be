/** The entry of a slow query, for queries that are made to spoil the log. */
import { expect, test } from '@jest/globals'
import type { Username } from '../../src/paths.ts'
import { slowQuery } from '../../src/log.ts'
import type { FinishedSearch } from '../../src/data/search/search.ts'
import { parseQuery } from '../../src/query/parse.ts'

const entryOf = (text: string, more: Partial<FinishedSearch> = {}): string[] =>
  slowQuery(
    {
      username: 'alice' as Username,
      query: parseQuery(text),
      milliseconds: 1234.5678,
      matches: 12,
      plan: () => 'merge\n  fetch',
      ...more,
    },
    'R',
  ).split('\n')

test('its lines', () => {
  expect(entryOf('has u/a')).toEqual([
    'slow query, request R: 1235 ms, user alice, 12 found',
    'query: has u/a',
    'plan:',
    '  merge',
    '    fetch',
  ])
})

test('a query that was not answered', () => {
  expect(entryOf('has u/a', { matches: undefined })[0]).toBe(
    'slow query, request R: 1235 ms, user alice, refused or given up',
  )
})

test('white space in a query begins no line, and a control character does nothing', () => {
  const [, query, next] = entryOf('has\nu/a or\r\n\tu/b = "x\nplan:\u001b[2J\u0007"')
  expect(query).toBe('query: has u/a or u/b = "x plan:\ufffd[2J\ufffd"')
  expect(next).toBe('plan:')
})

test('a long query is cut after 1,000 characters, and none of them to a half', () => {
  const [, query = ''] = entryOf(`u/a = "${'😀'.repeat(1_000)}"`)
  expect(query).toHaveLength('query: '.length + 1_000 + '…'.length)
  expect(query).toMatch(/^query: u\/a = "(?:😀)+\ufffd…$/u)
})

test('a long plan is cut after 100 lines', () => {
  const plan = Array.from({ length: 150 }, (_, i) => `step ${String(i)}`).join('\n')
  const lines = entryOf('has u/a', { plan: () => plan })
  expect(lines).toHaveLength(3 + 100 + 1)
  expect(lines.slice(-2)).toEqual(['  step 99', '  … and 50 lines more'])
})
