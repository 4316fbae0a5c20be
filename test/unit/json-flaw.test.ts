/** Where a text stops being JSON is found where `JSON.parse` refuses it, and nowhere else. */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { describeFlaw } from '../../src/json-flaw.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const pieces = fc.constantFrom(
  ...['[', ']', '{', '}', ',', ':', ' ', '\n', '\t', '\u00a0', '"', '"a"', '"\\u00e9"', '"\\x"', '\\', '0'],
  ...['1', '05', '-', '-1.5e+3', '1.', '.5', 'true', 'null', 'True', 'word', "'", 'ü', '\ud800', '/', '\0'],
)

test('a flaw is found in a text exactly if it is not JSON', () => {
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((some) => some.join('')),
    fc
      .json()
      .chain((text) =>
        fc
          .tuple(fc.nat(text.length), pieces)
          .map(([at, piece]) => text.slice(0, at) + piece + text.slice(at)),
      ),
    fc.json(),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect([text, describeFlaw(text) === undefined]).toEqual([text, isJson(text)])
    }),
    { numRuns: 5_000 },
  )
})

describe('a flaw says where it is, and what would be right', () => {
  test.each([
    ['hello', ' at line 1, column 1: expected a value, found hello; put strings in double quotes'],
    ["'a'", ` at line 1, column 1: expected a value, found '; put strings in double quotes`],
    ['{name: 1}', ' at line 1, column 2: expected a string or }, found name; put strings in double quotes'],
    ['True', ' at line 1, column 1: expected a value, found True; write true, false and null in lower case'],
    ['[1,\n 2,]', ' at line 2, column 4: expected a value, found ]'],
    ['{"a":1,}', ' at line 1, column 8: expected a string, found }'],
    ['{"a" 1}', ' at line 1, column 6: expected :, found 1'],
    ['[1 2]', ' at line 1, column 4: expected , or ], found 2'],
    ['{"a":1\r\n', ' at line 2, column 1: expected , or }, found the end'],
    ['5 6', ' at line 1, column 3: expected the end, found 6'],
    ['05', ' at line 1, column 1: expected a value, found 05'],
    ['', ' at line 1, column 1: expected a value, found the end'],
    [
      '["a',
      ' at line 1, column 2: expected a value or ], found "; the string does not end, or something in it must be escaped',
    ],
    [
      'x'.repeat(100),
      ` at line 1, column 1: expected a value, found ${'x'.repeat(20)}; put strings in double quotes`,
    ],
  ])('%j', (text, flaw) => {
    expect(describeFlaw(text)).toBe(flaw)
  })

  test('unless the text is long', () => {
    expect(describeFlaw(`[${' '.repeat(4 * 1024)}`)).toBeUndefined()
  })
})
