/** A long body is held against the contract in portions that together say the same. */
import { expect, test } from '@jest/globals'
import { firstPortion, pointerInBody, portionsOfBody } from '../../src/http/body-portions.ts'
import { parseJson } from '../../src/json.ts'
import { partsOf } from '../../src/json-members.ts'

const portionsOf = (json: unknown): { readonly queries: readonly (readonly unknown[])[] }[] =>
  [...portionsOfBody(json)].map((portion) => portion.json) as never

test.each([null, 1, 'queries', ['queries'], {}, { queries: {} }, { queries: 'all' }])(
  'a body without elements has none: %j',
  (json) => {
    expect(portionsOf(json)).toEqual([])
    expect(firstPortion(json)).toBe(json)
  },
)

test('the elements are spread over the portions, and all else is in each', () => {
  const queries = Array.from({ length: 5_000 }, (_, i) => (i % 2 === 0 ? [`q${i}`, { a: i }] : { wrong: i }))
  const portions = portionsOf({ queries, other: 1 })
  expect(portions.length).toBeGreaterThan(4)
  expect(portions.flatMap((portion) => portion.queries)).toEqual(queries)
  for (const portion of portions) expect(portion).toMatchObject({ other: 1 })
  expect(firstPortion({ queries, other: 1 })).toEqual({ queries: [], other: 1 })
})

test('an empty list is a portion, so that the rest of the body is looked at', () => {
  expect(portionsOf({ queries: [], other: 1 })).toEqual([{ queries: [], other: 1 }])
})

test('the members of one element are spread over the portions', () => {
  const members = Array.from({ length: 20_000 }, (_, i) => `"k${i}":{}`).join(',')
  const { value } = parseJson(`{"queries":[["q",{${members}}]]}`, 5)
  const portions = portionsOf(value)
  expect(portions.length).toBeGreaterThan(5)
  const found = portions.flatMap(({ queries }) => queries)
  expect(found.every(([query]) => query === 'q')).toBe(true)
  expect(found.flatMap(([, values]) => Object.keys(values as object))).toHaveLength(20_000)
  expect(found.every(([, values]) => partsOf(values as object)[0] === values)).toBe(true)
})

test('a place in a portion is one in the whole body', () => {
  const queries = Array.from({ length: 2_500 }, (_, i) => [`q${i}`, { a: i }])
  const portions = [...portionsOfBody({ queries })]
  const places = portions.flatMap((portion) =>
    portion.json.queries.map((_, i) => pointerInBody(`/body/queries/${i}/1/a`, '/body', portion)),
  )
  expect(places).toEqual(queries.map((_, i) => `/body/queries/${i}/1/a`))
  const [first] = portions
  if (first === undefined) throw new Error('there is no portion')
  expect(pointerInBody('/body/other/3', '/body', first)).toBe('/body/other/3')
})
