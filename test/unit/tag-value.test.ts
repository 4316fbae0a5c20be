/** Primitive values: their types, and exact numbers. */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { int64Of } from '../../src/model/int64.ts'
import { parsePrimitive, stringValue } from '../../src/model/tag-value.ts'
import { refused } from './refused.ts'

const float = fc.double({ noNaN: true, noDefaultInfinity: true })
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

describe('numbers', () => {
  test('every 64-bit integer comes back digit for digit', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(parsePrimitive(String(value))).toEqual({ type: 'int', value, json: String(value) })
      }),
    )
  })

  test('a float is written so that it reads back as the same double, with a fraction or an exponent', () => {
    fc.assert(
      fc.property(
        fc.oneof(float, fc.maxSafeInteger(), fc.constantFrom(1e21, 1e22, 5e-324, 0, -0)),
        (value) => {
          const text = /[.e]/.test(String(value))
            ? String(value)
            : `${Object.is(value, -0) ? '-0' : String(value)}.0`
          const parsed = parsePrimitive(text)
          expect(parsed.type).toBe('float')
          expect(parsed.value).toBe(value)
          expect(parsed.json).toMatch(/[.e]/)
          expect(JSON.parse(parsed.json)).toBe(value)
          // The text that is served stays the same when it is written and read again.
          expect(parsePrimitive(parsed.json)).toEqual(parsed)
        },
      ),
    )
  })

  test.each<[text: string, type: string, json: string]>([
    ['5', 'int', '5'],
    ['5.0', 'float', '5.0'],
    ['5e0', 'float', '5.0'],
    ['5E+2', 'float', '500.0'],
    ['-0', 'int', '-0'],
    ['-0.0', 'float', '-0.0'],
    ['1e21', 'float', '1e+21'],
    ['123456789012345680000.0', 'float', '123456789012345680000.0'],
    ['9007199254740993', 'int', '9007199254740993'],
    ['9007199254740993.0', 'float', '9007199254740992.0'],
    ['1e-400', 'float', '0.0'],
    [' \n7 ', 'int', '7'],
  ])('%j is the %s %s', (text, type, json) => {
    expect(parsePrimitive(text)).toMatchObject({ type, json })
  })

  test.each([String(2n ** 63n), String(-(2n ** 63n) - 1n), '1'.repeat(400), '1e309', '-1e309'])(
    '%s is out of range',
    (text) => {
      expect(refused(() => parsePrimitive(text))).toEqual(['UnsupportedJSONType', 400, {}])
    },
  )

  test.each<[digits: string, value: bigint | undefined]>([
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', undefined],
    ['-9223372036854775809', undefined],
    [`-${'0'.repeat(100)}42`, -42n],
    ['000', 0n],
    ['-0', 0n],
    ['9'.repeat(16_000_000), undefined],
  ])('%.30s as an integer', (digits, value) => {
    expect(int64Of(digits)).toBe(value)
  })
})

describe('other types', () => {
  test('strings and lists of strings come back unchanged', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(fc.oneof(text, fc.array(text)), (value) => {
        const parsed = parsePrimitive(JSON.stringify(value))
        expect(parsed).toMatchObject({
          type: typeof value === 'string' ? 'string' : 'list-of-strings',
          value,
        })
        expect(JSON.parse(parsed.json)).toEqual(value)
        if (typeof value === 'string') expect(stringValue(value)).toEqual(parsed)
      }),
    )
  })

  test.each<[text: string, type: string, value: unknown]>([
    ['null', 'null', null],
    ['true', 'boolean', true],
    [' false ', 'boolean', false],
    ['[]', 'list-of-strings', []],
    ['["b","a","b"]', 'list-of-strings', ['b', 'a', 'b']],
    ['"\\u0041\\n"', 'string', 'A\n'],
    ['"\\ud83d\\ude00"', 'string', '😀'],
  ])('%s is a %s', (text, type, value) => {
    expect(parsePrimitive(text)).toMatchObject({ type, value })
  })

  test('a long list of strings comes back unchanged', () => {
    const value = Array.from({ length: 60_000 }, (_, i) => `${'"é\n'.repeat(i % 3)}${i}`)
    const parsed = parsePrimitive(JSON.stringify(value, undefined, 1))
    expect(parsed.json).toBe(JSON.stringify(value))
    expect(parsed.type).toBe('list-of-strings')
    expect([...(parsed.value as Iterable<string>)]).toEqual(value)
    expect([...(parsed.value as Iterable<string>)]).toHaveLength(60_000)
  })

  const strings = Array.from({ length: 60_000 }, () => '"a"').join(',')
  test.each([
    ['a number in it', `[${strings},1]`],
    ['a number first', `[1,${strings}]`],
    ['a number between', `[${strings},1,${strings}]`],
    ['a list in it', `[${strings},[]]`],
    ['a long list in it', `[[${strings}],"a"]`],
    ['an object in it', `[{"a":"${'a'.repeat(100_000)}","b":1},${strings}]`],
    ['a long empty list in it', `[[${' '.repeat(200_000)}],${strings}]`],
    ['a long object', `{"a":[${strings}],"b":1}`],
    ['a long empty object', `{${' '.repeat(200_000)}}`],
    ['a list alone', `[[${strings}]]`],
  ])('a long text is no primitive: %s', (_what, text) => {
    expect(refused(() => parsePrimitive(text))).toEqual(['UnsupportedJSONType', 400, {}])
    expect(refused(() => parsePrimitive(`${text.slice(0, -1)},`))?.[0]).toBe('MalformedPayload')
  })

  test.each(['{}', '[1]', '["a",null]', '[["a"]]', '{"value":1}'])('%s is not a primitive value', (text) => {
    expect(refused(() => parsePrimitive(text))).toEqual(['UnsupportedJSONType', 400, {}])
  })

  test.each([
    '',
    ' ',
    'nul',
    "'a'",
    '"a',
    '1 2',
    '01',
    '+1',
    '.5',
    '5.',
    'NaN',
    'Infinity',
    '[1,]',
    '\ufeff1',
  ])('%j is not JSON', (text) => {
    expect(refused(() => parsePrimitive(text))?.slice(0, 2)).toEqual(['MalformedPayload', 400])
  })

  test.each(['"\\ud800"', '["a","\\udc00x"]', '{"\\ud800":1}'])('%s holds a lone surrogate', (text) => {
    expect(refused(() => parsePrimitive(text))?.[0]).toBe('MalformedPayload')
  })
})
