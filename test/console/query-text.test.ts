/** What the query box makes of a text: mended slips, completions, and pieces by what they are. */
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { completed, operatorsFor, wantedAt } from '../../console/src/query/completion.ts'
import { bareNames, mended } from '../../console/src/query/mend.ts'
import { readText } from '../../console/src/query/reading.ts'
import { faultAt, spansOf } from '../../console/src/query/spans.ts'

const SLIPS: [slip: string, text: string][] = [
  ['u/a == 5', 'u/a = 5'],
  ['u/a === 5', 'u/a = 5'],
  ['u/a <> 5', 'u/a != 5'],
  ['u/a !== 5', 'u/a != 5'],
  ['u/a ! = 5', 'u/a != 5'],
  ['u/a => 5', 'u/a >= 5'],
  ['u/a =< 5', 'u/a <= 5'],
  ["u/a = 'x'", 'u/a = "x"'],
  ['u/a = “New York”', 'u/a = "New York"'],
  ['u/a = ‘say "hi"’', String.raw`u/a = "say \"hi\""`],
  ['u/a = "x', 'u/a = "x"'],
  ['has u/a && u/b == 5 || has u/c', 'has u/a and u/b = 5 or has u/c'],
  ['has u/a & has u/b', 'has u/a and has u/b'],
  ['has u/a and not has u/b', 'has u/a except has u/b'],
  ['has u/a and !u/b', 'has u/a except has u/b'],
  ['has u/a not has u/b', 'has u/a except has u/b'],
  ['u/a is null', 'u/a = null'],
  ['u/a is not null', 'has u/a'],
  ['u/a is not 5', 'u/a != 5'],
  ['u/a like "new%"', 'u/a matches "new*"'],
  ["u/a LIKE '%green_tea%'", 'u/a matches "green tea*"'],
  ['u/a like tea', 'u/a matches "tea"'],
  ["u/a in ('x', 5)", '(u/a = "x" or u/a = 5)'],
  ['u/a between 1 and 2.5', 'u/a >= 1 and u/a <= 2.5'],
  ['select * from x where u/a > 5;', 'u/a > 5'],
  ['u/a = GB', 'u/a = "GB"'],
  ['u/a = New York and has u/b', 'u/a = "New York" and has u/b'],
  ['u/a = book/x', 'u/a = "book/x"'],
  ['u/a = GB u/b = 5', 'u/a = "GB" and u/b = 5'],
  ['u/a matches 5', 'u/a matches "5"'],
  ['u/a=5and u/b=6', 'u/a=5 and u/b=6'],
  ['u/a = +5', 'u/a = 5'],
  ['u/a\u00a0= 5', 'u/a = 5'],
  ['has u/a = 5', 'u/a = 5'],
  ['u/a', 'has u/a'],
  ['u/a and u/b', 'has u/a and has u/b'],
  ['has u/a has u/b', 'has u/a and has u/b'],
  ['(u/a = 5 or (has u/b', '(u/a = 5 or (has u/b))'],
  ['country = GB', 'cities/country = "GB"'],
  ["has country && population > 5 and not name like 'x%'", ''],
]

const PATHS = new Map([
  ['country', 'cities/country'],
  ['population', 'cities/population'],
])

describe('a slip', () => {
  it.each(SLIPS)('is mended: %s', (slip, text) => {
    expect(mended(slip, PATHS) ?? '').toBe(text)
  })

  it('is not seen in a query, nor where it is unknown', () => {
    for (const text of ['has u/a', 'u/a = "=="', '', 'not u/a', 'u/a >', 'has u/a)', '5 = u/a', 'u/a > true'])
      expect(mended(text)).toBeUndefined()
  })

  it('is mended to a query, if at all', () => {
    const piece = fc.constantFrom(
      ...["'", '“x”', '==', '&&', 'not', '!', 'like', 'in', '(', ')', 'is', 'null', 'x', '5', 'u/a', 'has'],
      ...['and', 'between', '=', '"y"', 'where', '"', '+', 'matches'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const text = mended(pieces.join(' '))
        if (text !== undefined) expect(readText(text)).toHaveProperty('root')
      }),
      { numRuns: 2_000 },
    )
  })

  it('may be a name without its path', () => {
    expect(bareNames('country = GB and has x or like > 5 and y == 3')).toEqual(['country', 'x', 'y'])
  })
})

/** `|` is the caret. */
const wanted = (text: string): unknown => {
  const found = wantedAt(text.replace('|', ''), text.indexOf('|'))
  return found && [found.kind, 'tag' in found ? found.tag : '', found.typed, found.from, found.to]
}

describe('what is wanted', () => {
  it.each([
    ['|', ['condition', '', '', 0, 0]],
    ['cit|', ['condition', '', 'cit', 0, 3]],
    ['has cit|ies/x and', ['path', '', 'cit', 4, 12]],
    ['has u/a |', ['joint', '', '', 8, 8]],
    ['has u/a an|', ['joint', '', 'an', 8, 10]],
    ['has u/a and |', ['condition', '', '', 12, 12]],
    ['(|', ['condition', '', '', 1, 1]],
    ['U/a |', ['operator', 'u/a', '', 4, 4]],
    ['u/a ma|', ['operator', 'u/a', 'ma', 4, 6]],
    ['u/a =|', ['value', 'u/a', '', 5, 5]],
    ['u/a = G|B or', ['value', 'u/a', 'G', 6, 8]],
    ['u/a = "New Y|', ['value', 'u/a', 'New Y', 6, 12]],
    ['u/a = "New Y|ork" and has u/b', ['value', 'u/a', 'New Y', 6, 16]],
    ['u/a = "x"|', undefined],
    ['u/a = "x" |', ['joint', '', '', 10, 10]],
    ['(has u/a)|', undefined],
    ['u/a matches |', undefined],
    ['"x" = |', undefined],
  ])('%s', (text, found) => {
    expect(wanted(text)).toEqual(found)
  })

  it('is put where it belongs', () => {
    const at = wantedAt('has cit and has u/b', 7)
    if (at === undefined) throw new Error()
    expect(completed('has cit and has u/b', at, { text: 'cities/name' })).toEqual({
      text: 'has cities/name and has u/b',
      caret: 16,
    })
    expect(completed('has cit', { ...at }, { text: 'cities/', isBeginning: true })).toEqual({
      text: 'has cities/',
      caret: 11,
    })
    expect(completed('(has cit)', { ...at, from: 5, to: 8 }, { text: 'cities/name' })).toEqual({
      text: '(has cities/name)',
      caret: 16,
    })
  })

  it('begins with the operators that fit the values', () => {
    expect(operatorsFor(['x']).slice(0, 2)).toEqual(['=', 'matches'])
    expect(operatorsFor([5]).slice(0, 2)).toEqual(['>', '>='])
    expect(operatorsFor([true]).slice(0, 2)).toEqual(['=', '!='])
    for (const values of [[], ['x'], [5], [null]]) expect(operatorsFor(values)).toHaveLength(8)
  })
})

describe('the pieces of a text', () => {
  it('are all of it, by what they are', () => {
    const spans = spansOf('has u/a and u/b >= -5 or u/c = "x" !', [])
    expect(spans.filter(({ look }) => look !== 'plain').map(({ text, look }) => [text, look])).toEqual([
      ['has', 'keyword'],
      ['u/a', 'path'],
      ['and', 'keyword'],
      ['u/b', 'path'],
      ['>=', 'operator'],
      ['-5', 'number'],
      ['or', 'keyword'],
      ['u/c', 'path'],
      ['=', 'operator'],
      ['"x"', 'string'],
    ])
  })

  it('are all of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          spansOf(text, [])
            .map((span) => span.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })

  it('are marked where they are wrong', () => {
    const text = 'u/a == 5'
    const marked = spansOf(text, faultAt(text, 4)).filter(({ isFault }) => isFault)
    expect(marked.map((span) => span.text)).toEqual(['=='])
    expect(faultAt('u/a >', 5)).toEqual([])
  })
})
