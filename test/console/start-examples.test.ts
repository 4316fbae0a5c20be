/** Example queries, made of whatever tags and values there are. */
import { expect, test } from '@jest/globals'
import { parseExact } from '../../packages/client/json.ts'
import type { Cell } from '../../common/values.ts'
import { examplesOf, type Sample } from '../../console/src/start/examples.ts'
import { tourOf } from '../../console/src/start/tour.ts'
import { parseQuery } from '../../src/query/parse.ts'

/** Objects with these values of the tags `u/…`. */
const sampleOf = (rows: readonly Readonly<Record<string, string>>[]): readonly Sample[] =>
  rows.map((row) => ({
    values: Object.fromEntries(
      Object.entries(row).map(([tag, json]) => [`u/${tag}`, parseExact(json) as Cell]),
    ),
  }))

const queriesOf = (tags: readonly string[], rows: readonly Readonly<Record<string, string>>[]): string[] =>
  examplesOf(
    tags.map((tag) => ({ path: `u/${tag}`, count: 10 })),
    sampleOf(rows),
  ).map(({ query }) => query)

test('nothing but system tags still makes four queries', () => {
  expect(examplesOf([], [])).toHaveLength(4)
  for (const { query } of examplesOf([], [])) expect(() => parseQuery(query)).not.toThrow()
})

test.each([
  [
    'a text alone',
    ['note'],
    [{ note: '"one \\"two\\" \\\\ three"' }, { note: '"three, three"' }],
    'u/note matches "three"',
  ],
  ['numbers', ['n'], [{ n: '0.07' }, { n: '250.5' }], 'u/n >= 200'],
  ['ints of 64 bits', ['n'], [{ n: '1' }, { n: '9223372036854775807' }], 'u/n >= 9000000000000000000'],
  ['lists', ['l'], [{ l: '["a \\"b\\""]' }], String.raw`u/l contains "a \"b\""`],
  [
    'no list',
    ['name', 'kind'],
    [
      { name: '"Anna"', kind: '"x"' },
      { name: '"Otto"', kind: '"x"' },
    ],
    'has u/name and u/kind = "x"',
  ],
  [
    'places and names',
    ['lat', 'name'],
    [
      { lat: '60.1', name: '"Turku"' },
      { lat: '61.2', name: '"Oulu"' },
    ],
    'has u/name',
  ],
  ['opaque values', ['file'], [{ file: '{"value-type": "image/png", "size": 7}' }], 'has u/file'],
  ['values that are all equal', ['n'], [{ n: '5' }, { n: '5.0' }], 'has u/n'],
])('%s', (_what, tags, rows, expected) => {
  const queries = queriesOf(tags, rows)
  expect(queries).toHaveLength(4)
  expect(queries).toContain(expected)
  for (const query of queries) expect(() => parseQuery(query)).not.toThrow()
})

test('latitudes are no example of a number', () => {
  expect(queriesOf(['lat', 'name'], [{ lat: '60.1' }, { lat: '61.2' }]).join()).not.toContain('u/lat >=')
})

test('the tour has the questions whose owners are there, and they are queries', () => {
  expect(tourOf(new Set())).toEqual([])
  expect(tourOf(new Set(['cities']))).toHaveLength(1)
  const all = tourOf(new Set(['cities', 'countries', 'unicode', 'alice']))
  expect(all.length).toBeGreaterThanOrEqual(4)
  for (const { query } of all) expect(() => parseQuery(query)).not.toThrow()
})
