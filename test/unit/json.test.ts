/** JSON texts are read as `JSON.parse` reads them, with the literals of numbers, and bounded in depth and values. */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ServiceError } from '../../src/model/errors.ts'
import { MAX_JSON_VALUES, parseJson } from '../../src/model/json.ts'
import { runYielding } from '../../src/scheduling/yielding.ts'
import { refused } from './refused.ts'

const MALFORMED = 'MalformedPayload'

/** Arbitrary JSON texts, with blanks, escapes and keys of every kind in them. */
const { text: jsonText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      'null',
      'true',
      '-0',
      '5.0',
      '1e2',
      '12345678901234567890',
      '""',
      '"\\u00e9\\"]"',
      '"\\\\"',
      '"\\\\\\""',
      '[]',
      '{}',
      '[ ]',
    ),
    fc.array(tie('text')).map((items) => `[${items.join(' ,\n')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', '0', 'é', '\\u0061'), tie('text')))
      .map((members) => `{ ${members.map(([key, value]) => `"${key}" : ${value}`).join(',')}\t}`),
  ),
}))

const pieces = fc.constantFrom(
  ...['[', ']', '{', '}', ',', ':', ' ', '\n', '\t', '\u00a0', '"', '"a"', '"\\u00e9"', '"\\x"', '\\', '0'],
  ...['1', '05', '-', '-1.5e+3', '1.', '.5', 'true', 'null', 'True', 'word', "'", 'ü', '/', '\0'],
)

const withPiece = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  texts.chain((text) =>
    fc
      .tuple(fc.nat(text.length), pieces, fc.boolean())
      .map(([at, piece, instead]) => text.slice(0, at) + piece + text.slice(instead ? at + 1 : at)),
  )

const outcome = (read: () => unknown): unknown => {
  try {
    return { value: read() }
  } catch {
    return 'refused'
  }
}

describe('a text', () => {
  test('has the value that JSON.parse finds', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(parseJson(text, 100).value).toEqual(JSON.parse(text))
      }),
    )
  })

  test('is refused where JSON.parse refuses it, and nowhere else', () => {
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 8 }).map((some) => some.join('')),
      withPiece(fc.json()),
      withPiece(jsonText),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(() => parseJson(text, 100).value)).toEqual(outcome((): unknown => JSON.parse(text)))
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    ['a value', '["\\ud800"]'],
    ['a key', '{"\\ud800":1}'],
    ['a key among others', '{"a":1,"\\uDC00":[]}'],
  ])('is refused for a lone surrogate: %s', (_what, text) => {
    expect(refused(() => parseJson(text, 100))).toEqual([
      MALFORMED,
      400,
      { message: expect.stringMatching(/^a string holds a lone surrogate: /) as unknown },
    ])
  })
})

describe('a flaw says where it is, and what would be right', () => {
  test.each([
    ['hello', 'line 1, column 1: expected a value, found hello; put strings in double quotes'],
    ["'a'", `line 1, column 1: expected a value, found '; put strings in double quotes`],
    ['{name: 1}', 'line 1, column 2: expected a string or }, found name; put strings in double quotes'],
    ['True', 'line 1, column 1: expected a value, found True; write true, false and null in lower case'],
    ['[1,\n 2,]', 'line 2, column 4: expected a value, found ]'],
    ['{"a":1,}', 'line 1, column 8: expected a string, found }'],
    ['{"a" 1}', 'line 1, column 6: expected :, found 1'],
    ['[1 2]', 'line 1, column 4: expected , or ], found 2'],
    ['{"a":1\r\n', 'line 2, column 1: expected , or }, found the end'],
    ['5 6', 'line 1, column 3: expected the end, found 6'],
    ['05', 'line 1, column 1: expected a value, found 05'],
    ['', 'line 1, column 1: expected a value, found the end'],
    [
      '["a',
      'line 1, column 2: expected a value or ], found "; the string does not end, or something in it must be escaped',
    ],
    [
      'x'.repeat(100),
      `line 1, column 1: expected a value, found ${'x'.repeat(20)}; put strings in double quotes`,
    ],
    [`[${'1,\n'.repeat(10_000)}]`, 'line 10001, column 1: expected a value, found ]'],
  ])('%.40j', (text, flaw) => {
    const message = `the payload is not JSON at ${flaw}`
    expect(refused(() => parseJson(text, 100))).toEqual([MALFORMED, 400, { message }])
  })
})

describe('the number of values', () => {
  const items = (count: number, item: string): string => `[${`${item},`.repeat(count - 1)}${item}]`
  const members = (count: number): string =>
    `{${Array.from({ length: count }, (_, i) => `"k${String(i)}":0`).join(',')}}`

  test.each([
    ['scalars in a list', items(MAX_JSON_VALUES - 1, '1'), items(MAX_JSON_VALUES, '1')],
    ['empty lists', items(MAX_JSON_VALUES - 1, '[]'), items(MAX_JSON_VALUES, '[]')],
    ['lists of one', items((MAX_JSON_VALUES - 2) / 2, '[""]'), items(MAX_JSON_VALUES / 2, '[""]')],
    ['members, whose names do not count', members(MAX_JSON_VALUES - 1), members(MAX_JSON_VALUES)],
  ])('is bounded: %s', (_what, most, tooMany) => {
    expect(() => parseJson(most, 2)).not.toThrow()
    const error = ((): unknown => {
      try {
        return parseJson(tooMany, 2)
      } catch (thrown) {
        return thrown
      }
    })() as ServiceError
    expect([error.errorClass, error.status]).toEqual(['PayloadTooLarge', 413])
    expect(error.sentence).toMatch(/250000 values; send several requests, or .* text\/plain$/)
  })
})

test('those who work in turns take turns', async () => {
  const order: string[] = []
  function* work(name: string): Generator<undefined, string> {
    for (let portion = 0; portion < 3; portion++) {
      const end = performance.now() + 12
      while (performance.now() < end);
      order.push(name)
      yield
    }
    return name
  }
  expect(await Promise.all([runYielding(work('a')), runYielding(work('b'))])).toEqual(['a', 'b'])
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
})

describe('the literal of a number', () => {
  test('is found by its object and key, unless it is as JavaScript writes it', () => {
    const parsed = parseJson('{"a":{"value":5.0},"b":{"value":5},"c":{"value":-0},"d":{"value":"5.0"}}', 2)
    const value = parsed.value as Record<'a' | 'b' | 'c' | 'd', object>
    expect(parsed.numberText(value.a, 'value')).toBe('5.0')
    expect(parsed.numberText(value.b, 'value') ?? '5').toBe('5')
    expect(parsed.numberText(value.c, 'value')).toBe('-0')
    expect(parsed.numberText(value.d, 'value')).toBeUndefined()
    expect(parsed.source).toBeUndefined()
    expect(parseJson(' 1e2\n', 100).source).toBe('1e2')
  })

  test('is kept wherever JavaScript would write the number in another way', () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,19})$/)
    const literals = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits,
        fc.stringMatching(/^(?:|\.0{0,8}\d{1,19})$/),
        fc.constantFrom('', '', '', 'e5', 'E-7', 'e+0'),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(literals, { minLength: 1 }), fc.constantFrom('', ' '), (texts, blank) => {
        const holder = `{${texts.map((text, i) => `"${String(i)}":${blank}${text}`).join(`,${blank}`)}}`
        const { value, numberText } = parseJson(holder, 1)
        const numbers = Object.entries(value as Record<string, number>)
        expect(numbers.map(([key, number]) => numberText(value as object, key) ?? String(number))).toEqual(
          texts,
        )
      }),
      { numRuns: 1_000 },
    )
  })

  test('is that of the last of duplicate keys', () => {
    const { value, numberText } = parseJson('{"a":5.0,"b":1,"c":2.0,"a":7,"b":2.0,"c":[3.0]}', 2)
    expect(value).toEqual({ a: 7, b: 2, c: [3] })
    expect(numberText(value as object, 'a') ?? '7').toBe('7')
    expect(numberText(value as object, 'b')).toBe('2.0')
    expect(numberText(value as object, 'c')).toBeUndefined()
  })
})

test.each([
  ['[[]]', 2],
  ['{"a":[{"b":1}]}', 3],
  ['["[[[[", "\\"[["]', 1],
  ['[[[],[]],[[]]]', 3],
])('arrays and objects count towards the depth: %#', (text, depth) => {
  expect(parseJson(text, depth).value).toEqual(JSON.parse(text))
  expect(refused(() => parseJson(text, depth - 1))?.[0]).toBe(MALFORMED)
})
