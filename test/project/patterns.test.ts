/** The check that no regular expression takes more than linear time. */
import { describe, expect, it } from '@jest/globals'
import { faultOf, patternsOf } from '../../scripts/patterns.ts'

const literals = (text: string): string[] =>
  patternsOf('a.ts', text).map(({ source, flags, place }) => `${place} /${source}/${flags}`)

describe('the patterns of a file', () => {
  it('are its literals, wherever they stand', () => {
    const text = "const a = /x\\/[/]/gu\n// /no/\nconst b = '/no/' + `${'x'.replace(/y/, '')}` + 4 / 2 / 1"
    expect(literals(text)).toEqual(['a.ts:1 /x\\/[/]/gu', 'a.ts:3 /y/'])
  })

  it('are sticky in a lexer', () => {
    expect(literals('moo.compile({ a: /x+$/u, b: { match: /y/ } })\nother({ a: /z/ })')).toEqual([
      'a.ts:1 /x+$/uy',
      'a.ts:1 /y/y',
      'a.ts:2 /z/',
    ])
  })
})

describe('a pattern', () => {
  const faultIn = (literal: RegExp): string =>
    faultOf({ source: literal.source, flags: literal.flags, place: '' })

  it.each([/^[\t ]+|[\t ]+$/g, /^(a|a)+$/])('%s that takes more than linear time is a fault', (literal) => {
    expect(faultIn(literal)).toMatch(/polynomial|exponential/)
  })

  it('that cannot be judged is a fault', () => {
    expect(faultIn(/[\p{Lu}--[a]]/v)).toBe('cannot be judged: invalid')
  })

  it('that takes linear time is none', () => {
    expect(faultIn(/^[\t ]+b/)).toBe('')
  })
})
