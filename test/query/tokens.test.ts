/** The tokens of texts that may be no queries. */
import { describe, expect, it } from '@jest/globals'
import { tokensOf } from '../../src/query/lexer.ts'

describe('the tokens of any text', () => {
  const typed = (text: string): string[] =>
    tokensOf(text).map((token) => `${token.type ?? ''} ${token.text} ${token.offset}`)

  it('are those of a query, without the blanks', () => {
    expect(typed('has u/a and u/b >= "x" ')).toEqual([
      'has has 0',
      'path u/a 4',
      'and and 8',
      'path u/b 12',
      'order >= 16',
      'string "x" 19',
    ])
  })

  it('go on behind what is none', () => {
    expect(typed("u/a == '😀 5")).toEqual([
      'path u/a 0',
      'foreign == 4',
      "unknown ' 7",
      'unknown 😀 8',
      'number 5 11',
    ])
    expect(typed('u/a = "x 5')).toEqual(['path u/a 0', 'equality = 4', 'unknown "x 5 6'])
    expect(typed(' ')).toEqual([])
  })
})
