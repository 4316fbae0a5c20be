/** GET /search/facets: what counts as one value, what is shown of it, and how numbers are divided. */
import { expect, test } from '@jest/globals'
import type { Answer } from '../support/service.ts'
import { useService } from './use-service.ts'

const { ok } = useService()

let made = 0

/** Puts values on as many new objects, under a new tag; opaque ones are given as Buffers. Returns the tag's path. */
async function tagged(...values: readonly (string | Buffer)[]): Promise<string> {
  made += 1
  const path = `alice/facets/tag${String(made)}`
  for (const [i, value] of values.entries()) {
    const body = Buffer.isBuffer(value)
      ? { body: value, headers: { 'content-type': 'image/png' } }
      : { primitive: value }
    await ok('PUT', `/about/${String(made)}-${String(i)}/${path}`, { as: 'alice', ...body })
  }
  return path
}

const asking = (path: string, also: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  ok('GET', '/search/facets', { as: 'alice', query: { query: `has ${path}`, tag: path, ...also } })

/** The JSON of the only facet, as it was sent. */
async function facetText(path: string, also: Readonly<Record<string, string>> = {}): Promise<string> {
  const text = (await asking(path, also)).body.toString()
  const [, facet] = /"facets":\{"[^"]*":(.*)\}\}$/s.exec(text) ?? []
  return facet ?? text
}

const facet = async (path: string, also?: Readonly<Record<string, string>>): Promise<unknown> =>
  JSON.parse(await facetText(path, also))

test('an int and a float that are equal are one value, which is shown as the int', async () => {
  const path = await tagged('5.0', '5', '5.0', '7.0', '-0.0')
  expect(await facetText(path)).toBe(
    '{"objects":5,"types":{"int":1,"float":4},' +
      '"top":[{"value":5,"count":3},{"value":0.0,"count":1},{"value":7.0,"count":1}],' +
      '"numbers":{"smallest":0.0,"largest":7.0}}',
  )
})

test('integers that doubles do not tell apart are counted apart, and shown exactly', async () => {
  const path = await tagged('9007199254740993', '9007199254740992', '9007199254740993', '9223372036854775807')
  expect(await facetText(path, { bins: '1' })).toContain(
    '"top":[{"value":9007199254740993,"count":2},{"value":9007199254740992,"count":1},' +
      '{"value":9223372036854775807,"count":1}],"numbers":{"smallest":9007199254740992,' +
      '"largest":9223372036854775807,"bins":[{"from":9007199254740992,"to":9223372036854775807,"count":4}]}',
  )
})

test('equally frequent values come in the order of values', async () => {
  const path = await tagged(
    '"b"',
    '"B"',
    '2',
    '10',
    'true',
    'null',
    '"é"',
    'false',
    '"😀"',
    '"\uffff"',
    '"b"',
  )
  expect((await facet(path, { top: '100' })) as object).toMatchObject({
    top: ['b', null, false, true, 2, 10, 'B', 'é', '\uffff', '😀'].map((value, i) => ({
      value,
      count: i === 0 ? 2 : 1,
    })),
  })
})

test('an item counts once for every list that holds it, and a string is no item', async () => {
  const path = await tagged('["tea","green","tea"]', '["tea"]', '[]', '"tea"', '"tea"')
  expect(await facet(path)).toEqual({
    objects: 5,
    types: { string: 2, 'list-of-strings': 3 },
    top: [{ value: 'tea', count: 2 }],
    items: [
      { value: 'tea', count: 2 },
      { value: 'green', count: 1 },
    ],
  })
  const empty = await tagged('[]')
  expect(await facet(empty)).toMatchObject({ top: [], items: [] })
})

test('of a long text only the beginning is shown, whole characters and escapes', async () => {
  const [long, other] = ['é'.repeat(400), `${'\\n'.repeat(300)}x`]
  const path = await tagged(
    `"${long}"`,
    `"${long}"`,
    `"${other}"`,
    `["${long}","${'i'.repeat(70)}"]`,
    Buffer.from('png'),
  )
  expect(await facet(path)).toEqual({
    objects: 5,
    types: { string: 3, 'list-of-strings': 1, opaque: 1 },
    top: [
      { beginning: 'é'.repeat(255), count: 2 },
      { beginning: '\n'.repeat(255), count: 1 },
    ],
    items: [
      { value: 'i'.repeat(70), count: 1 },
      { beginning: 'é'.repeat(255), count: 1 },
    ],
  })
})

test('texts of 510 octets are shown whole', async () => {
  const path = await tagged(`"${'x'.repeat(510)}"`, `"${'y'.repeat(511)}"`)
  expect(await facet(path)).toMatchObject({
    top: [
      { value: 'x'.repeat(510), count: 1 },
      { beginning: 'y'.repeat(511), count: 1 },
    ],
  })
})

test('items of long lists are counted, too, and the long ones among them shown by their beginnings', async () => {
  const items = Array.from({ length: 5000 }, (_, i) => `"item ${String(i)} ${'of a long list '.repeat(5)}"`)
  const path = await tagged(`[${items.join()}]`, `["short",${items.join()}]`, '["short"]', '["short"]')
  const { items: shown } = (await facet(path, { top: '2' })) as { items: unknown[] }
  expect(shown).toEqual([
    { value: 'short', count: 3 },
    { beginning: 'item 0 of a long list of a long ', count: 2 },
  ])
})

test('linear bins have equal widths, and the last one has its end', async () => {
  const path = await tagged('0', '1', '2.5', '5', '10', '"ten"')
  expect(await facet(path, { bins: '4', top: '0' })).toMatchObject({
    top: [],
    numbers: {
      bins: [
        { from: 0, to: 2.5, count: 2 },
        { from: 2.5, to: 5, count: 1 },
        { from: 5, to: 7.5, count: 1 },
        { from: 7.5, to: 10, count: 1 },
      ],
    },
  })
})

test('logarithmic bins divide the positive numbers, and the others are in a bin of their own', async () => {
  const path = await tagged('-5', '0', '1', '9', '10', '1000')
  const numbers = {
    bins: [
      { from: -5, to: 1, count: 2 },
      { from: 1, to: 10, count: 2 },
      { from: 10, to: 100, count: 1 },
      { from: 100, to: 1000, count: 1 },
    ],
  }
  expect(await facet(path, { bins: '3', scale: 'logarithmic' })).toMatchObject({ numbers })
  const negative = await tagged('-5', '0')
  expect(await facet(negative, { bins: '3', scale: 'logarithmic' })).toMatchObject({
    numbers: { bins: [{ from: -5, to: 0, count: 2 }] },
  })
})

test('numbers without room between them have fewer bins', async () => {
  const one = await tagged('3', '3.0')
  expect(await facet(one, { bins: '5' })).toMatchObject({ numbers: { bins: [{ from: 3, to: 3, count: 2 }] } })
  const huge = await tagged('-1.7976931348623157e308', '0', '1.7976931348623157e308')
  expect(await facet(huge, { bins: '2' })).toMatchObject({
    numbers: {
      bins: [
        { from: -1.7976931348623157e308, to: 0, count: 1 },
        { from: 0, to: 1.7976931348623157e308, count: 2 },
      ],
    },
  })
})

test('only the objects that the query matches count, and the tag may be another one', async () => {
  const path = await tagged('1', '2', '3', '4')
  const query = { query: `${path} > 1 except ${path} = 3`, tag: ['service/about', path], top: '1' }
  const answer = await ok('GET', '/search/facets', { as: 'alice', query })
  expect(answer.json()).toEqual({
    count: 2,
    facets: {
      'service/about': { objects: 2, types: { string: 2 }, top: [{ value: `${String(made)}-1`, count: 1 }] },
      [path]: {
        objects: 2,
        types: { int: 2 },
        top: [{ value: 2, count: 1 }],
        numbers: { smallest: 2, largest: 4 },
      },
    },
  })
})

test('tens of thousands of different values are counted in a time that grows with their number alone', async () => {
  const path = 'alice/facets/many'
  const [REQUESTS, OBJECTS] = [30, 1000]
  for (let request = 0; request < REQUESTS; request++) {
    const numbers = Array.from({ length: OBJECTS }, (_, i) => request * OBJECTS + i - OBJECTS)
    const queries = numbers.map((n) => [`service/about = "many ${n}"`, { [path]: { value: n } }])
    await ok('PUT', '/values', { as: 'alice', json: { queries } })
  }
  expect(await facet(path, { top: '2', bins: '1', scale: 'logarithmic' })).toEqual({
    objects: 30_000,
    types: { int: 30_000 },
    top: [
      { value: -1000, count: 1 },
      { value: -999, count: 1 },
    ],
    numbers: {
      smallest: -1000,
      largest: 28_999,
      bins: [
        { from: -1000, to: 1, count: 1001 },
        { from: 1, to: 28_999, count: 28_999 },
      ],
    },
  })
})
