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
    ['hello', 'at line 1, column 1 there is hello instead of a value; a string stands in double quotes'],
    ["'a'", `at line 1, column 1 there is ' instead of a value; a string stands in double quotes`],
    [
      '{name: 1}',
      'at line 1, column 2 there is name instead of a string or }; a string stands in double quotes',
    ],
    [
      'True',
      'at line 1, column 1 there is True instead of a value; JSON has true, false and null in lower case',
    ],
    ['[1,\n 2,]', 'at line 2, column 4 there is ] instead of a value'],
    ['{"a":1,}', 'at line 1, column 8 there is } instead of a string'],
    ['{"a" 1}', 'at line 1, column 6 there is 1 instead of :'],
    ['[1 2]', 'at line 1, column 4 there is 2 instead of , or ]'],
    ['{"a":1\r\n', 'at line 2, column 1 there is the end instead of , or }'],
    ['5 6', 'at line 1, column 3 there is 6 instead of the end'],
    ['05', 'at line 1, column 1 there is 05 instead of a value'],
    ['', 'at line 1, column 1 there is the end instead of a value'],
    [
      '["a',
      'at line 1, column 2 there is " instead of a value or ]; the string does not end, or holds what must be escaped',
    ],
    [
      'x'.repeat(100),
      `at line 1, column 1 there is ${'x'.repeat(20)} instead of a value; a string stands in double quotes`,
    ],
  ])('%j', (text, flaw) => {
    expect(describeFlaw(text)).toBe(flaw)
  })

  test('unless the text is long', () => {
    expect(describeFlaw(`[${' '.repeat(64 * 1024)}`)).toBeUndefined()
  })
})
