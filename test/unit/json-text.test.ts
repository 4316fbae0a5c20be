/** JSON text that is put together is what `JSON.stringify` makes of the same things. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { frameOf, jsonText, listText, objectText } from '../../src/http/answer/json-text.ts'

const value = fc.jsonValue()

test('objects', () => {
  const object = fc.record({ id: value, 'updated-at': value, URI: value }, { requiredKeys: [] })
  fc.assert(
    fc.property(object, (members) => {
      const texts = Object.fromEntries(Object.entries(members).map(([name, one]) => [name, jsonText(one)]))
      expect(objectText(texts)).toBe(JSON.stringify(members))
    }),
  )
})

test('lists', () => {
  fc.assert(
    fc.property(fc.array(value), (items) => {
      expect(listText(items.map(jsonText))).toBe(JSON.stringify(items))
    }),
  )
})

test.each([
  [{ ids: [] }, '{"ids":[', ']}'],
  [{ results: { id: {} } }, '{"results":{"id":{', '}}}'],
  [[], '[', ']'],
])('the frame of %j', (empty, before, after) => {
  expect(frameOf(empty)).toEqual({ before, after })
})
