/** How values are stored: sort keys that compare as the values do, and terms that fit their column. */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  Encoded,
  KEY_STRING_BYTES,
  sortKey,
  termsInPortions,
  typeCode,
  typeOfCode,
} from '../../src/data/values/encoding.ts'
import { itemTerm, termBytes, type Term, wordRange, wordTerm } from '../../src/data/values/terms.ts'
import { parsePrimitive, stringValue, type Primitive, type TagValue } from '../../src/model/tag-value.ts'

const KEY_COLUMN_BYTES = 64
const TERM_COLUMN_BYTES = 66

const int = (value: bigint): Primitive => ({ type: 'int', value, json: String(value) })
const float = (value: number): Primitive => ({ type: 'float', value, json: '' })

/** Integers where doubles lose precision and where 64 bits end, and doubles near those and anywhere. */
const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 53n + 9n }),
  fc.bigInt({ min: -(2n ** 53n) - 9n, max: -(2n ** 53n) + 9n }),
  fc.bigInt({ min: 2n ** 63n - 1100n, max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 63n) + 1100n }),
  fc.bigInt({ min: -3n, max: 3n }),
)
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  int64.map(Number),
  fc.constantFrom(2 ** 63, -(2 ** 63), 2 ** 63 + 2048, -(2 ** 63) - 2048, 2 ** 64, 0, -0, 5e-324, -5e-324),
  fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53, -(2 ** 53), 2 ** 53 + 2, 0.5, -0.5),
)
const number = fc.oneof(int64.map(int), double.map(float))

/** Strings with common beginnings, about as long as a key can hold. */
const text = fc
  .tuple(
    fc.constantFrom('', 'x'.repeat(22), 'x'.repeat(23), 'x'.repeat(24), 'é'.repeat(11), '😀'.repeat(6)),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  .map((parts) => parts.join(''))

const termsOf = (value: TagValue, indexed: boolean): readonly Term[] => [
  ...new Set([...termsInPortions(value, indexed)].flat()),
]

const sign = (order: number): number => Math.sign(order)

/** Compares two numbers; JavaScript compares a bigint with a number exactly. */
const byValue = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0)

describe('sort keys', () => {
  test('of numbers sort as the numbers do, int and float together', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const order = Buffer.compare(sortKey(a), sortKey(b))
        expect(sign(order)).toBe(byValue(a.value as bigint | number, b.value as bigint | number))
      }),
      { numRuns: 5000 },
    )
  })

  test('of strings are equal only for equal strings, and sort by what they hold of the strings', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [left, right] = [Buffer.from(a), Buffer.from(b)]
        const order = Buffer.compare(sortKey(stringValue(a)), sortKey(stringValue(b)))
        expect(order === 0).toBe(a === b)
        const shared = left.subarray(0, KEY_STRING_BYTES).equals(right.subarray(0, KEY_STRING_BYTES))
        const bothLonger = left.length > KEY_STRING_BYTES && right.length > KEY_STRING_BYTES
        if (!(shared && bothLonger)) expect(sign(order)).toBe(Buffer.compare(left, right))
      }),
      { numRuns: 2000 },
    )
  })

  test('sort all values by type first', () => {
    const groups: TagValue[][] = [
      [parsePrimitive('null')],
      [parsePrimitive('false'), parsePrimitive('true')],
      [float(-Number.MAX_VALUE), int(-1n), int(0n), float(Number.MAX_VALUE)],
      [stringValue(''), stringValue('\u{10ffff}'.repeat(20))],
      [parsePrimitive('[]'), parsePrimitive('["a"]')],
      [{ type: 'opaque', contentType: 'x/y', bytes: Buffer.of(0) }],
    ]
    for (const [i, group] of groups.entries()) {
      for (const later of groups.slice(i + 1).flat()) {
        for (const value of group) expect(Buffer.compare(sortKey(value), sortKey(later))).toBe(-1)
      }
    }
  })

  test('fit their column', () => {
    fc.assert(
      fc.property(fc.oneof(number, fc.string({ unit: 'binary' }).map(stringValue)), (value) => {
        expect(sortKey(value).length).toBeLessThanOrEqual(KEY_COLUMN_BYTES)
      }),
    )
    expect(sortKey(stringValue('x'.repeat(10_000))).length).toBeLessThanOrEqual(KEY_COLUMN_BYTES)
  })

  test('of minus zero and zero are equal', () => {
    expect(sortKey(float(-0))).toEqual(sortKey(int(0n)))
  })
})

const word = fc
  .tuple(
    fc.constantFrom('', 'w'.repeat(31), 'é'.repeat(16), 'w'.repeat(60), '字'.repeat(21)),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  .map((parts) => parts.join(''))

describe('terms', () => {
  test('are equal only for equal texts, differ between words and items, and fit their column', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(wordTerm(a).equals(wordTerm(b))).toBe(a === b)
        expect(itemTerm(a).equals(itemTerm(b))).toBe(a === b)
        expect(wordTerm(a).equals(itemTerm(b))).toBe(false)
        expect(Math.max(wordTerm(a).length, itemTerm(a).length)).toBeLessThanOrEqual(TERM_COLUMN_BYTES)
      }),
      { numRuns: 2000 },
    )
  })

  test('in the range of a prefix include every word with it, and no others if the range is exact', () => {
    const characters = (value: string): string[] => [...value]
    fc.assert(
      fc.property(word, word, fc.nat(), (a, b, cut) => {
        const beginning = characters(a)
          .slice(0, cut % (characters(a).length + 1))
          .join('')
        const { first, last, exact } = wordRange(beginning)
        const holds = (term: Buffer): boolean =>
          Buffer.compare(term, first) >= 0 && Buffer.compare(term, last) <= 0
        expect(holds(wordTerm(a))).toBe(true)
        if (b.startsWith(beginning)) expect(holds(wordTerm(b))).toBe(true)
        else if (exact) expect(holds(wordTerm(b))).toBe(false)
        expect(holds(itemTerm(a))).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  test('of a value are its items, and its words if the tag is indexed, each once', () => {
    const list = parsePrimitive('["The end","the END","the end",""]')
    const hex = (terms: readonly Buffer[]): string[] => terms.map((term) => term.toString('hex')).sort()
    const found = (value: TagValue, indexed: boolean): string[] => hex(termsOf(value, indexed).map(termBytes))
    const items = ['The end', 'the END', 'the end', ''].map(itemTerm)
    expect(found(list, false)).toEqual(hex(items))
    expect(found(list, true)).toEqual(hex([...items, wordTerm('the'), wordTerm('end')]))
    expect(found(stringValue('a b a'), true)).toEqual(hex([wordTerm('a'), wordTerm('b')]))
    expect(termsOf(stringValue('a b a'), false)).toEqual([])
    for (const json of ['null', 'true', '5', '5.5']) expect(termsOf(parsePrimitive(json), true)).toEqual([])
    const long = 'ß'.repeat(50)
    expect(found(stringValue(`Straße ${long}`), true)).toEqual(
      hex([wordTerm('strasse'), wordTerm('s'.repeat(100))]),
    )
  })
})

test('every type has a code, and the code names the type', () => {
  const types = ['null', 'boolean', 'int', 'float', 'string', 'list-of-strings', 'opaque'] as const
  expect(types.map((type) => typeOfCode(typeCode(type)))).toEqual(types)
  expect(() => typeOfCode(99)).toThrow(/99/)
})

test('a primitive value is stored as canonical JSON, an opaque one as its bytes and content type', () => {
  expect(new Encoded(parsePrimitive(' 5.0 '))).toMatchObject({
    content: Buffer.from('5.0'),
    contentType: null,
  })
  const bytes = Buffer.of(0, 255, 10)
  expect(new Encoded({ type: 'opaque', contentType: 'Image/PNG; Q=1', bytes })).toMatchObject({
    content: bytes,
    contentType: 'Image/PNG; Q=1',
  })
})
